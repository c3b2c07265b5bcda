"""How a step of doit ends when it cannot do its work: one sentence for what a person can mend."""

from __future__ import annotations

import errno
import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from doit.exceptions import TaskFailed

from pipeline.errors import PipelineError
from pipeline.layout import Layout

DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE}
DISK |= {errno.EISDIR, errno.ENOTDIR, errno.ENOTEMPTY, errno.EEXIST}


class HasPlace(Protocol):
    """What works in a build folder."""

    layout: Layout


Place = TypeVar("Place", bound=HasPlace)
Arguments = ParamSpec("Arguments")


def told(step: Callable[Concatenate[Place, Arguments], None]) -> Callable[Concatenate[Place, Arguments], object]:
    """Make what a person can mend a failed task with our sentence instead of a traceback."""

    @functools.wraps(step)
    def run(build: Place, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> object:
        try:
            step(build, *args, **kwargs)
        except PipelineError as error:
            return TaskFailed(str(error))
        except OSError as error:
            if error.errno not in DISK:
                raise
            where = error.filename2 or error.filename or build.layout.root
            return TaskFailed(f"{where}: {error.strerror}; what is published stays as it is, run `doit` again")
        return None

    return run
