"""The only module that opens files for writing.

Everything is written whole or not at all: a temporary name beside the target, then one rename.
A target whose bytes are already right is not touched, so that an idle run changes nothing.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import filelock

from pipeline.errors import ArtifactError, PipelineError

TEMPORARY = ".tmp-"
DOOMED = ".old-"
CHUNK = 1 << 20
SHARING_TRIES = 20
# Windows: a file that a reader has open can be neither replaced nor removed, under any of its names.
HOLDS_OPEN = os.name == "nt"
# EINVAL is how Windows tells of a file system that has no links.
NO_LINK = {errno.EMLINK, errno.EXDEV, errno.EPERM, errno.ENOTSUP, errno.EACCES, errno.ENOSYS, errno.EINVAL}
LOCKED = 75  # EX_TEMPFAIL, try again later: how a process ends that found another build running


class BuildRunning(PipelineError):
    """Another build holds the lock."""


def read_bytes(path: Path) -> bytes | None:
    """The bytes of `path`, or None when there is no such file."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def write_atomic(path: Path, content: bytes, *, durable: bool = False) -> bool:
    """Make `path` hold `content`; False when it already did.

    `durable` waits until the disk has it, for the few files that others hang on.

    Raises:
        OSError: the disk refused; the old file stays.
    """
    if _holds(path, content):
        return False
    with _taking_place_of(path) as temporary, temporary.open("wb") as target:
        target.write(content)
        target.flush()
        if durable:
            os.fsync(target.fileno())
    return True


def write_private(path: Path, content: bytes) -> None:
    """Make `path` hold `content`, readable by its owner alone from its first moment (where the platform has modes).

    Raises:
        OSError: the disk refused; the old file stays.
    """
    with _taking_place_of(path) as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as target:
            target.write(content)
            target.flush()
            os.fsync(descriptor)


def is_private(path: Path) -> bool:
    """Whether nobody but its owner may read the file; always true where the platform has no modes."""
    return os.name != "posix" or path.stat().st_mode & 0o077 == 0


@contextlib.contextmanager
def _taking_place_of(path: Path) -> Iterator[Path]:
    """A name beside `path` that becomes it when the block ends well, and goes when it does not."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-{hashlib.sha256(path.name.encode()).hexdigest()[:12]}")
    with contextlib.ExitStack() as undoing:
        undoing.callback(temporary.unlink, missing_ok=True)
        yield temporary
        replace(temporary, path)
        undoing.pop_all()


def replace(source: Path, target: Path) -> None:
    """Rename over `target`; waits a moment where another process (Windows) has it open."""
    for attempt in range(SHARING_TRIES):
        try:
            source.replace(target)
        except PermissionError:
            if not HOLDS_OPEN or attempt == SHARING_TRIES - 1:
                raise
            time.sleep(0.05)
        else:
            return


def move(source: Path, target: Path) -> None:
    """Rename to where nothing is yet."""
    target.parent.mkdir(parents=True, exist_ok=True)
    replace(source, target)


def settle(source: Path, target: Path) -> None:
    """Let `source` take the place of `target`, unless the same bytes stand there."""
    if not target.is_file() or not _holds(target, source.read_bytes()):
        move(source, target)


def write_new(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files (POSIX names) below a new folder where nobody looks yet, so that none needs a rename.

    Raises:
        OSError: the disk refused; some of them may be there.
    """
    above, made = str(folder), set[str]()
    for name, content in contents.items():
        path = f"{above}/{name}"
        parent = path.rpartition("/")[0]
        if parent not in made:
            os.makedirs(parent, exist_ok=True)  # noqa: PTH103  # as in `link_files`
            made.add(parent)
        with open(path, "xb") as target:  # noqa: PTH123  # as in `link_files`
            target.write(content)


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in `folder` (where the platform can)."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def append(path: Path, content: bytes) -> None:
    """Add `content` at the end of `path`, making it when needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as target:
        target.write(content)
        target.flush()


def copy(source: Path, target: Path) -> None:
    """Copy one file under a temporary name, then rename it to `target`."""
    with _taking_place_of(target) as temporary:
        shutil.copyfile(source, temporary)


def link_or_copy(source: Path, target: Path) -> None:
    """Give `source` a second name, or a copy where the file system refuses another link."""
    _link_or_copy(str(source), str(target))


def link_over(source: Path, target: Path) -> None:
    """As `link_or_copy`, whatever `target` was before."""
    if target.is_file() and target.samefile(source):
        return  # of two names of one file a rename keeps both
    with _taking_place_of(target) as temporary:
        link_or_copy(source, temporary)


def link_files(source: Path, target: Path, names: Iterable[str]) -> None:
    """As `link_or_copy`, for each file `names` (POSIX, relative) below `source`: the same name below `target`."""
    # Ten thousand of them: a Path costs more than the link.
    above, below = f"{source}/", f"{target}/"
    for name in names:
        _link_or_copy(above + name, below + name)


def _link_or_copy(source: str, target: str) -> None:
    try:
        _link(source, target)
    except OSError as error:
        if error.errno not in NO_LINK:
            raise
        copy(Path(source), Path(target))


def _link(source: str, target: str) -> None:
    """Most folders are there already: to make sure of each first costs more than the link."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        os.link(source, target)


def link_tree(source: Path, target: Path) -> None:
    """Make `target` a tree of links to (or copies of) the files below `source`."""
    link_files(source, target, walk(source))


def walk(folder: Path) -> Iterator[str]:
    """Every file below `folder`, as sorted POSIX paths; temporary and doomed names are left out."""
    yield from sorted(path for path, _ in _walk(str(folder), ""))


def _walk(folder: str, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.name.startswith((TEMPORARY, DOOMED)):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, f"{prefix}{entry.name}/")
        elif entry.is_file(follow_symlinks=False):
            yield f"{prefix}{entry.name}", entry


def folders(folder: Path) -> list[Path]:
    """The folders directly in `folder`, in no order; none when it is not there."""
    try:
        return [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return []


def times(folder: Path, name: str) -> Iterator[tuple[str, int, int]]:
    """Path, size in bytes and time of change in ns of the file `name`, or of each file below the folder `name`.

    Sorted by path.
    """
    path = folder / name
    below = _walk(str(path), f"{name}/") if path.is_dir() else [(name, path)]
    yield from sorted(row for each, entry in below for row in _times(each, entry))


def _times(name: str, entry: os.DirEntry[str] | Path) -> Iterator[tuple[str, int, int]]:
    with contextlib.suppress(FileNotFoundError):
        found = entry.stat(follow_symlinks=False)
        yield name, found.st_size, found.st_mtime_ns


def symlink(target: str, path: Path) -> bool:
    """Make the symlink `path` → `target` by one rename; False where the platform refuses."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-link")
    try:
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(Path(target), target_is_directory=True)
        if HOLDS_OPEN and path.is_symlink():
            path.unlink()  # Windows renames nothing over a link to a folder
        temporary.replace(path)
    except (OSError, NotImplementedError):
        temporary.unlink(missing_ok=True)
        return False
    return True


def symlinks_new(links: Mapping[str, str], folder: Path, like: Path | None) -> None:
    """Make the symlinks `links` (POSIX name → target) below `folder`, where nothing is yet and nobody looks.

    One that `like` has already, the same, only gets a second name: that is a quarter of the work.  The
    platform may refuse symlinks: then there are none.
    """
    above, below = (f"{like}/" if like else None), f"{folder}/"
    made: set[str] = set()
    for name, target in links.items():
        parent = name.rpartition("/")[0]
        if parent not in made:
            (folder / parent).mkdir(parents=True, exist_ok=True)
            made.add(parent)
        is_linked = above is not None and _link_symlink(target, above + name, below + name)
        if not is_linked and not _symlink(target, below + name):
            return


def _symlink(target: str, path: str) -> bool:
    try:
        os.symlink(target, path, target_is_directory=True)  # noqa: PTH211  # as in `link_files`
    except (OSError, NotImplementedError):
        return False
    return True


def _link_symlink(target: str, known: str, path: str) -> bool:
    """Give the symlink `known` to `target` the name `path`, too; False where that cannot be."""
    try:
        if os.readlink(known) != target:  # noqa: PTH115  # as in `link_files`
            return False
        os.link(known, path, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return False
    return True


def remove_tree(path: Path) -> None:
    """Remove a file or a folder: renamed first, so that no half of it can be taken for the whole."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        doomed = path.with_name(f"{DOOMED}{os.getpid()}-{path.name}"[:200])
        replace(path, doomed)
        _discard(doomed)


def remove_unless_open(path: Path) -> None:
    """As `remove_tree`; what a reader still has open (Windows) stays whole, for a later build to remove."""
    try:
        remove_tree(path)
    except PermissionError:
        if not HOLDS_OPEN:
            raise


def remove_file(folder: Path, name: str) -> None:
    """Remove the file `name` (POSIX, relative) below `folder`, and the folders it leaves empty."""
    path = folder / name
    path.unlink(missing_ok=True)
    for parent in path.parents:
        if parent == folder or any(parent.iterdir()):
            return
        parent.rmdir()


def sweep(folder: Path) -> None:
    """Remove what a killed run left directly below `folder`."""
    with contextlib.suppress(FileNotFoundError):
        for entry in list(os.scandir(folder)):
            if entry.name.startswith((TEMPORARY, DOOMED)):
                _discard(Path(entry.path))


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def read_tail(path: Path, size_bytes: int) -> bytes:
    """The last `size_bytes` of a file; nothing when there is none."""
    try:
        with path.open("rb") as source:
            source.seek(0, os.SEEK_END)
            source.seek(max(0, source.tell() - size_bytes))
            return source.read()
    except FileNotFoundError:
        return b""


def lock_build(path: Path) -> filelock.FileLock:
    """Take the lock that lets one build run at a time; the kernel frees it when we die.

    Raises:
        BuildRunning: another build holds it.
    """
    lock = take_lock(path)
    if lock is None:
        raise BuildRunning("another `doit` is building here; wait for it, or stop it, and run again")
    return lock


def take_lock(path: Path) -> filelock.FileLock | None:
    """Take a lock that one process can hold; None when another has it.  The kernel frees it when we die."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(path, timeout=0.5, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    return lock


def make_private(folder: Path) -> None:
    """Make a folder that others on this machine cannot read (where the platform has modes).

    Raises:
        ArtifactError: something that is not a folder stands there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (FileExistsError, NotADirectoryError):
        raise ArtifactError(f"{folder} is not a folder; move it away or set PROJECTS_META_BUILD") from None


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except (FileNotFoundError, NotADirectoryError):
        return False


def _discard(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        _remove_folder(path)
    else:
        path.unlink()


def _remove_folder(path: Path) -> None:
    if sys.version_info >= (3, 12):
        shutil.rmtree(path, onexc=_make_writable)
    else:
        shutil.rmtree(path, onerror=_make_writable)


def _make_writable(_function: object, path: str, _error: object) -> None:
    """Git makes its objects read-only, and Windows then refuses to remove them."""
    target = Path(path)
    target.chmod(stat.S_IWRITE | stat.S_IREAD)
    target.unlink() if not target.is_dir() else target.rmdir()
