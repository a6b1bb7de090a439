"""The API of sources, runs and waves: `router` puts its parts together, and nothing else imports it."""
