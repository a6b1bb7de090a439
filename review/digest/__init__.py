"""The digest: tells those who are not looking that something has waited too long, by mail and by webhook."""
