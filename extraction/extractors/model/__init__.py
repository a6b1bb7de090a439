"""The model extractor: one question per source to an OpenAI-compatible server, its answer checked against the text (T2–T4)."""

MODEL_VERSION = "1.0.0"
