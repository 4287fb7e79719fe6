"""A page in a real browser: the document that it makes of it, and what its console says."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.conftest import BROWSERS

QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
CONSOLE = re.compile(r":CONSOLE[(:]\d+[)\]] (.*)$", re.MULTILINE)


def in_browser(page: str, folder: Path, fragment: str = "", act: str = "", options: tuple[str, ...] = ()) -> str:
    """Return the document that a browser makes of a page, after some JavaScript has acted.

    Raises `AssertionError` where the page writes to the console, as it does for an error.
    """
    if act:
        # The page allows its own script alone.
        page = re.sub(r"script-src 'sha256-[^']*'", "script-src 'unsafe-inline'", page)
        page = page.replace("</body>", f"<script>{act}</script></body>")
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser = next(found for name in BROWSERS if (found := shutil.which(name)))
    done = subprocess.run(
        [browser, *QUIET, "--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}", *options, "--dump-dom",
         f"{file.as_uri()}{fragment}"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert CONSOLE.findall(done.stderr) == []
    return done.stdout
