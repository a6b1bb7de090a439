"""The API against its own document: generated calls, and chains of them, by schemathesis."""
