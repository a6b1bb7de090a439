"""The Model Context Protocol's doors, over the API: the same tokens, checks and answers. No tool decides or curates."""
