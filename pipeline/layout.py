"""The only place that spells a path under build/ or inside an artifact.

One rule turns any name into a file name (`component`); it refuses nothing and never leaves its
folder, so names from the network are data, not paths.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import platformdirs

from pipeline.model import RepositoryId, split_id

APP = "projects-meta"
PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}\Z")
TAIL = re.compile(r"-[0-9a-f]{16}\Z")
RESERVED = {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in range(10))}
SLUG_LETTERS = 60
LONGEST_PATH = 120
MOST_FOLDERS = 12
DOWNLOAD_BYTES = 200
EXTENSION_BYTES = 40

REPOS = "repos.json"
TASKS = "tasks.json"
KNOWLEDGE = "knowledge.json"
CATALOG = "catalog.sqlite"
SHARED = "shared"
ROOTS_FILE = "roots.json"
ROOTS = "roots"
REPORT = "report"
TOP_LEVEL = (REPOS, TASKS, KNOWLEDGE, ROOTS_FILE, CATALOG)
FOLDERS = (SHARED, ROOTS, REPORT)
MANIFEST = "manifest.json"
PROJECT = "project.json"
SNAPSHOT = "snapshot.json"
HISTORY = "history.json"


def component(name: str) -> str:
    """The file name for one path component: `name` itself when it is plain, else slug + `-` + 16 hex.

    Plain: `[a-z0-9][a-z0-9._-]{0,79}`, no reserved Windows name, no trailing dot, no tail that looks
    like ours.  The hex is of the SHA-256 of the exact bytes, so other names never meet by accident.
    """
    if _is_plain(name) and not TAIL.search(name):
        return name
    return f"{_slug(name)}-{_hash(name)}"


def root_file(name: str, ending: str) -> str:
    """The file of one knowledge root in roots/: its listing (`json`) or its texts (`pack`)."""
    return f"{component(name)}.{ending}"


def document(name: str) -> str:
    """Like `component`, for a Markdown file name: the result always ends in `.md`."""
    stem = name[:-3] if name.lower().endswith(".md") else name
    if name == f"{stem}.md" and _is_plain(name) and not TAIL.search(stem):
        return name
    return f"{_slug(stem)}-{_hash(name)}.md"


def download_name(name: str) -> str:
    """The file name under which a foreign file is given to people: one component of at most 200 bytes of UTF-8.

    Letters that a file system refuses, or that hide others, become `_`; a reserved Windows name gets a `_`
    before it; what is too long is cut before its extension.
    """
    last = re.split(r"[/\\]", name)[-1]
    clean = "".join("_" if _is_odd(letter) else letter for letter in last).rstrip(". ").lstrip(" ")
    stem, dot, extension = clean.rpartition(".")
    if not stem or len(extension.encode()) > EXTENSION_BYTES:
        stem, dot, extension = clean, "", ""
    cut = _cut(stem, DOWNLOAD_BYTES - len(f"_{dot}{extension}".encode())) or "_"
    device = unicodedata.normalize("NFKC", cut).split(".")[0].strip().lower()
    prefix = "_" if device in RESERVED or cut.startswith((".", "-")) else ""
    return f"{prefix}{cut}{dot}{extension}"


def _is_odd(letter: str) -> bool:
    return letter in '<>:"|?*' or unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _cut(text: str, size_bytes: int) -> str:
    return text.encode()[:size_bytes].decode(errors="ignore").rstrip(". ")


def document_path(folder: str, path: str) -> str:
    """The place of a repository's Markdown file inside an artifact: `folder/` + encoded components."""
    *folders, name = path.split("/")
    return "/".join([folder, *(component(part) for part in folders), document(name)])


def project_href(repository: RepositoryId) -> str:
    """The page of one repository inside the report."""
    return f"p/{repository_path(repository)}.html"


def task_anchor(slug: str) -> str:
    """The anchor of a task on its project's page: it survives a change of order."""
    return f"t-{component(slug)}"


def wiki_href(repository: RepositoryId, slug: str) -> str:
    """The place of a wiki page (or of a shared page) inside the report: `w/host/owner/name/….html`.

    No folder's name ends like a page's; a path that would be long for a file system is one name.
    """
    *folders, name = slug.split("/")
    path = "/".join([*map(_folder, folders), component(name)])
    if len(path) > LONGEST_PATH or len(folders) > MOST_FOLDERS:
        path = f"{_slug(name)}-{_hash(slug)}"
    return f"w/{repository_path(repository)}/{path}.html"


def _folder(name: str) -> str:
    return f"{_slug(name)}-{_hash(name)}" if name.endswith(".html") else component(name)


@lru_cache(maxsize=1 << 16)
def repository_path(repository: RepositoryId) -> str:
    """`host/owner/name`, each encoded; relative, POSIX."""
    return "/".join(component(part) for part in split_id(repository))


def is_safe_path(path: str) -> bool:
    """True for a RepoPath that we are willing to name: no empty, `.`, `..` or `.git` component, no
    control letter, backslash or colon, at most 1,000 letters.
    """
    if len(path) > 1000 or any(letter in path for letter in "\\:"):
        return False
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in path):
        return False
    return all(part not in ("", ".", "..") and part.casefold() != ".git" for part in path.split("/"))


def _is_plain(name: str) -> bool:
    return bool(PLAIN.match(name)) and not name.endswith(".") and name.split(".")[0] not in RESERVED


def _slug(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", letters[: 4 * SLUG_LETTERS])[:SLUG_LETTERS].strip("-")
    return slug if slug and slug not in RESERVED else f"x{slug}"


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Layout:
    """Every place under one build folder."""

    root: Path

    # sync/: private to the pipeline

    @property
    def sync(self) -> Path:
        """The folder that only the pipeline reads (and, for sync.json, the readers' freshness)."""
        return self.root / "sync"

    @property
    def roster(self) -> Path:
        """Memory of every repository."""
        return self.sync / "roster.json"

    @property
    def journal(self) -> Path:
        """Rows of this run, folded into the roster at its end."""
        return self.sync / "roster.journal"

    @property
    def sync_json(self) -> Path:
        """Readings of the last run."""
        return self.sync / "sync.json"

    @property
    def sync_log(self) -> Path:
        """What each run did."""
        return self.sync / "sync.log"

    @property
    def hints_given(self) -> Path:
        """Hints that no sync has seen yet, one file each."""
        return self.sync / "hints" / "given"

    @property
    def hints_taken(self) -> Path:
        """Hints that a sync has taken over."""
        return self.sync / "hints" / "taken"

    def hint(self, name: str) -> Path:
        """The file of one hint that waits; it has the same name when it is taken."""
        return self.hints_given / component(name)

    def blob(self, oid: str) -> Path:
        """The bytes of one git blob.

        Raises:
            ValueError: `oid` is not a full hex object id.
        """
        if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", oid):
            raise ValueError(f"not an object id: {oid[:80]!r}")
        return self.root.joinpath("sync", "blobs", oid[:2], oid[2:])

    @property
    def blobs(self) -> Path:
        """The store of file bytes."""
        return self.sync / "blobs"

    @property
    def unnamed(self) -> Path:
        """Since when blobs are named by nothing."""
        return self.sync / "unnamed.json"

    @property
    def purge(self) -> Path:
        """The repositories that are being forgotten, until nothing of them is left."""
        return self.sync / "purge.json"

    @property
    def snapshots(self) -> Path:
        """What we copied of all repositories."""
        return self.sync / "snapshots"

    def snapshot(self, repository: RepositoryId) -> Path:
        """What we copied of one repository."""
        return self.root.joinpath("sync", "snapshots", repository_path(repository), SNAPSHOT)

    def has_snapshot(self, repository: RepositoryId) -> bool:
        """Whether there is a file in its place; as quick as `has_artifact`."""
        return _is_file(self.root, "sync", "snapshots", repository_path(repository), SNAPSHOT)

    @property
    def histories(self) -> Path:
        """What we copied of the histories of all repositories."""
        return self.sync / "history"

    def history(self, repository: RepositoryId) -> Path:
        """What we copied of one repository's history."""
        return self.root.joinpath("sync", "history", repository_path(repository), HISTORY)

    # stage/: doit's targets

    @property
    def stage(self) -> Path:
        """The next version, being made."""
        return self.root / "stage"

    def stage_project(self, repository: RepositoryId) -> Path:
        """The folder of one project artifact in stage."""
        return self.root.joinpath("stage", "projects", repository_path(repository))

    def artifact(self, repository: RepositoryId) -> Path:
        """project.json in stage."""
        return self.root.joinpath("stage", "projects", repository_path(repository), PROJECT)

    def has_artifact(self, repository: RepositoryId) -> bool:
        """Whether project.json is in stage; asked of every repository on every run, so without a Path."""
        return _is_file(self.root, "stage", "projects", repository_path(repository), PROJECT)

    @property
    def narrowed_catalog(self) -> Path:
        """The catalog of a report that not everything may stand in, there while it is made."""
        return self.root / "stage" / "narrowed.sqlite"

    @property
    def beside(self) -> Path:
        """Where workers write what will take its place in stage; it is gone when they are."""
        return self.root / "stage" / ".tmp-made"

    @property
    def parsed(self) -> Path:
        """Our own record of which artifact was made of which snapshot."""
        return self.root / "parsed.journal"

    @property
    def steps_json(self) -> Path:
        """Our own record of what the later steps were done with."""
        return self.root / "steps.json"

    @property
    def indexed_json(self) -> Path:
        """Our own record of what each repository's rows in the top-level files were made of."""
        return self.root / "indexed.json"

    @property
    def pages_json(self) -> Path:
        """Our own record of what each page of the report was made of."""
        return self.root / "pages.json"

    @property
    def roots_json(self) -> Path:
        """Our own record of the knowledge roots' files, to know again what did not change."""
        return self.root / "roots.json"

    # published

    def object(self, repository: RepositoryId, digest: str) -> Path:
        """One immutable project tree."""
        return self.root.joinpath("objects", repository_path(repository), digest)

    def has_object(self, repository: RepositoryId, digest: str) -> bool:
        """Whether that tree is stored; as quick as `has_artifact`."""
        return _is_file(self.root, "objects", repository_path(repository), digest, PROJECT)

    @property
    def objects(self) -> Path:
        """Every immutable project tree."""
        return self.root / "objects"

    @property
    def untidy(self) -> Path:
        """There while a publish runs; still there when one was killed: objects may lie about that nothing lists."""
        return self.root / "publish.untidy"

    @property
    def versions(self) -> Path:
        """Every kept version."""
        return self.root / "versions"

    def version(self, number: int) -> Path:
        """One immutable version."""
        return self.versions / f"{number:06d}"

    @property
    def current_json(self) -> Path:
        """Names the version that readers shall open; replaced by one rename."""
        return self.root / "current.json"

    @property
    def current_link(self) -> Path:
        """The same as a symlink, for people, where the platform has them."""
        return self.root / "current"

    @property
    def report_html(self) -> Path:
        """The stable address of the report."""
        return self.root / "report.html"

    @property
    def freshness_json(self) -> Path:
        """The readings that belong to what is published: a copy of sync.json, made when a build is done."""
        return self.root / "freshness.json"

    @property
    def freshness_js(self) -> Path:
        """The same for the report's pages."""
        return self.root / "freshness.js"

    @property
    def news_js(self) -> Path:
        """What the newest version changed, for the report's first page."""
        return self.root / "news.js"

    @property
    def looks_js(self) -> Path:
        """When the repositories that are behind were last looked at with success, for the report's pages."""
        return self.root / "looks.js"

    @property
    def example(self) -> Path:
        """The bundled example, materialised."""
        return self.root / "example"

    @property
    def lock(self) -> Path:
        """Held by the one build that may run."""
        return self.root / "build.lock"

    @property
    def doit_json(self) -> Path:
        """doit's own state."""
        return self.root / "doit.json"

    @property
    def owned(self) -> tuple[Path, ...]:
        """All that `doit clean` may remove; doit's own state and the lock are not among it."""
        ours = (self.sync, self.stage, self.objects, self.versions, self.example, self.parsed)
        marks = (self.steps_json, self.indexed_json, self.pages_json, self.roots_json)
        pointers = (
            self.untidy,
            self.current_json,
            self.current_link,
            self.report_html,
            self.freshness_js,
            self.freshness_json,
            self.news_js,
            self.looks_js,
        )
        return (*ours, *marks, *pointers, self.root / f"{self.doit_json.name}.broken")


def _is_file(root: Path, *parts: str) -> bool:
    return os.path.isfile(os.path.join(root, *parts))  # noqa: PTH113, PTH118  # a Path costs more than the look


def checkout() -> Path | None:
    """The folder of dodo.py when this package runs from its checkout, else None."""
    folder = Path(__file__).resolve().parent.parent
    return folder if (folder / "dodo.py").is_file() else None


def bundled(name: str) -> Path:
    """A folder that ships with us (`templates`, `examples`): in the checkout, or inside the wheel."""
    folder = Path(__file__).resolve().parent
    inside = folder / "_bundled" / name
    return inside if inside.is_dir() else folder.parent / name


def starter(name: str) -> Path:
    """A file that `init` writes: beside us, or (dodo.py, in a checkout) the checkout's own."""
    folder = Path(__file__).resolve().parent
    inside = folder / "starters" / name
    return inside if inside.is_file() else folder.parent / name


def find() -> Layout:
    """The build folder: PROJECTS_META_BUILD, else build/ of the checkout, else the user's data folder."""
    named = os.environ.get("PROJECTS_META_BUILD")
    if named:
        return Layout(Path(named).expanduser().absolute())
    home = checkout()
    return Layout(home / "build" if home else Path(platformdirs.user_data_dir(APP, appauthor=False)) / "build")
