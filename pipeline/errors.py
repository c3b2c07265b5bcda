"""The errors we raise on purpose.  Ask who can act.

    PipelineError
      ConfigError            the operator: a setting, a file or a command is not as it must be
      SourceError            the remote; stored as `Unreachable`, never fatal for the others
        SourceUnreachable      no answer in time, HTTP 429 or 5xx: keep the last snapshot
        RepositoryNotFound     HTTP 404; also how forges answer for a private repository
        AccessDenied           HTTP 401 or 403
        NoHistory              it keeps or tells none: not asked again before something changes
      ArtifactError          a file under build/ is not what we wrote
      CatalogError           the caller of a tool: its text goes out exactly as it stands
        NothingPublished       no version yet: says which command to run
        UnknownRepository
        AmbiguousRepository
        UnknownPage

Trouble in a repository's Markdown is never an exception: it is a `Diagnostic`.
"""

from __future__ import annotations


class PipelineError(Exception):
    """Anything we raise on purpose; its text is made for people."""


class ConfigError(PipelineError):
    """Every mistake of the configuration at once, each with its place."""

    def __init__(self, mistakes: tuple[str, ...]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


class SourceError(PipelineError):
    """A source did not give what we asked; `reason` holds no clock, no token and no URL query."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SourceUnreachable(SourceError):
    """No answer within the deadline, HTTP 429 or 5xx, or an answer that cannot be believed."""


class RepositoryNotFound(SourceError):
    """HTTP 404, or the folder is not there."""


class AccessDenied(SourceError):
    """HTTP 401 or 403."""


class NoHistory(SourceError):
    """The origin keeps no history, or does not tell it; asking again is of no use before something changes."""


class ArtifactError(PipelineError):
    """A file under build/ is missing, damaged or of another schema."""


class CatalogError(PipelineError):
    """A question that the published version cannot answer."""


class NothingPublished(CatalogError):
    """There is no published version yet."""


class UnknownRepository(CatalogError):
    """No repository of that name."""


class GoneRepository(UnknownRepository):
    """Its source has it no more."""


class AmbiguousRepository(CatalogError):
    """A short name that several repositories share."""


class UnknownPage(CatalogError):
    """No such board, task or page in that repository."""
