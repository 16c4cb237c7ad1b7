"""Clients of others, in Python environments of their own: .venv-server, made by scripts/test."""

import json
import os
import pathlib
import subprocess
import unittest

import chat_server
from program import REPOSITORY

PYTHON = REPOSITORY / ".venv-server" / "bin" / "python"
FOLDER = pathlib.Path(__file__).resolve().parent

needs_clients = unittest.skipUnless(
    chat_server.INSTALLED or os.environ.get("FINEPRINT_NEED_SERVER"),
    "SKIPPED: the clients are not installed (scripts/test makes .venv-server)",
)


def run_client(script, *arguments, timeout=300):
    """What a script of this folder prints, as JSON."""
    kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    done = subprocess.run(
        [PYTHON, "-B", FOLDER / script, *map(str, arguments)],
        capture_output=True,
        timeout=timeout,
        env=kept,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(f"{script}: {done.returncode}\n{done.stderr.decode()[-3000:]}")
    return json.loads(done.stdout)
