"""The model extractor: an OpenAI-compatible server is asked about each window of a source, its answers are checked against the text
(T2–T4)."""

MODEL_VERSION = "1.1.0"
