"""Which address is answered by what, for each family of servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from tests.fakes.dialects import Family
from tests.fakes.gitea_access import RepositoryReply, guarded, kept, of_repository
from tests.fakes.gitea_archive_routes import Archives
from tests.fakes.gitea_code_routes import Code
from tests.fakes.gitea_contents_routes import Contents
from tests.fakes.gitea_history_routes import History
from tests.fakes.gitea_http import Answer, Reply, Router
from tests.fakes.gitea_listing_routes import Listings
from tests.fakes.gogs_routes import NOWHERE as GOGS_NOWHERE
from tests.fakes.gogs_routes import Gogs

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea

Route = tuple[str, str, Reply]
API = "/api/v1"
REPO = f"{API}/repos/{{owner}}/{{name}}"
GITEA_NOWHERE = Answer(404, b"404 page not found\n", {"Content-Type": "text/plain; charset=utf-8"})
NOWHERE: Mapping[Family, Answer] = MappingProxyType({"gitea": GITEA_NOWHERE, "gogs": GOGS_NOWHERE})


def routers(forge: FakeGitea) -> dict[Family, Router]:
    """The tables over the forge as it is now."""
    return {"gitea": Router(_gitea(forge)), "gogs": Router(Gogs(forge).routes())}


def _gitea(forge: FakeGitea) -> list[Route]:
    # Who is asked for a token is asked for it before any address is looked at.
    nowhere = guarded(forge, "", lambda _: GITEA_NOWHERE)
    return [*_of_listings(forge), *_of_code(forge), ("GET", f"{API}/{{rest*}}", nowhere)]


def _of_listings(forge: FakeGitea) -> list[Route]:
    listings = Listings(forge)
    return [
        ("GET", f"{API}/version", guarded(forge, "", listings.version)),
        ("GET", f"{API}/settings/api", guarded(forge, "", listings.settings)),
        ("GET", f"{API}/users/{{owner}}", guarded(forge, "user", listings.user)),
        ("GET", f"{API}/orgs/{{owner}}", guarded(forge, "organisation", listings.organisation)),
        ("GET", f"{API}/users/{{owner}}/repos", guarded(forge, "user listing", listings.of_user)),
        ("GET", f"{API}/orgs/{{owner}}/repos", guarded(forge, "organisation", listings.of_organisation)),
        ("GET", f"{API}/user/repos", guarded(forge, "own listing", listings.of_mine)),
        ("GET", f"{API}/repos/search", guarded(forge, "search", listings.search)),
        ("GET", f"{API}/repositories/{{id}}", guarded(forge, "by id", listings.by_id)),
        ("GET", REPO, of_repository(forge, listings.one)),
    ]


def _of_code(forge: FakeGitea) -> list[Route]:
    code, contents, history, archives = Code(forge), Contents(forge), History(forge), Archives(forge)
    return [
        ("GET", f"{REPO}/git/trees/{{ref}}", _read(forge, code.tree)),
        ("GET", f"{REPO}/git/blobs/{{sha}}", _read(forge, code.blob)),
        ("GET", f"{REPO}/git/blobs", _if(lambda: forge.dialect.knows_blob_batches, _read(forge, code.blobs))),
        ("GET", f"{REPO}/raw/{{path*}}", _read(forge, code.raw)),
        ("GET", f"{REPO}/file-contents", _batches(forge, _read(forge, contents.batch))),
        ("POST", f"{REPO}/file-contents", _batches(forge, _read(forge, contents.batch, "write code"))),
        ("GET", f"{REPO}/contents", _read(forge, contents.at)),
        ("GET", f"{REPO}/contents/{{path*}}", _read(forge, contents.at)),
        ("GET", f"{REPO}/branches/{{branch*}}", _read(forge, history.branch)),
        ("GET", f"{REPO}/commits", _read(forge, history.commits)),
        ("GET", f"{REPO}/archive/{{file*}}", _read(forge, archives.pack)),
    ]


def _read(forge: FakeGitea, reply: RepositoryReply, need: str = "code") -> Reply:
    return of_repository(forge, kept(forge, reply), need)


def _batches(forge: FakeGitea, reply: Reply) -> Reply:
    return _if(lambda: forge.dialect.knows_batches, reply)


def _if(is_known: Callable[[], bool], reply: Reply) -> Reply:
    """A route that is there for some servers only."""
    return lambda request: reply(request) if is_known() else GITEA_NOWHERE
