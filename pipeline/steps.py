"""The shell around the pure parts: one method per doit task, which reads, calls, writes, returns None.

A mistake that a person can mend ends a task with one sentence; a crash of ours with its traceback.
Trouble in a repository's text or at a source never ends a task: it is in the artifacts.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from doit.exceptions import InvalidDodoFile, InvalidTask
from filelock import FileLock

from pipeline import (
    audience,
    clock,
    codec,
    diagnostics,
    files,
    freshness,
    garbage,
    kinds,
    layout,
    messages,
    progress,
    purge,
    registration,
    roster_rows,
    stage,
    stage_news,
    stage_parse,
    stage_record,
    summary,
    sync,
    variables,
    versions,
)
from pipeline.doit_plugins import Reporter, speak_any_script
from pipeline.endings import told
from pipeline.errors import ArtifactError, ConfigError, PipelineError
from pipeline.layout import PROJECT, REPOS, ROOTS_FILE, Layout
from pipeline.model import (
    Artifact,
    Config,
    Diagnostic,
    RepositoriesFile,
    RepositoryId,
    Roster,
    RosterEntry,
    SyncReading,
)
from pipeline.news import News
from pipeline.report import landing
from pipeline.snapshots import SnapshotStore
from pipeline.sources import SOURCES
from pipeline.stage_parse import Inputs
from pipeline.stage_record import Made
from pipeline.workers import Crew, find_crew

GARBAGE_AFTER = 100_000  # objects
CHECKS = [
    [sys.executable, "-m", "ruff", "check", "."],
    [sys.executable, "-m", "ruff", "format", "--check", "."],
    [sys.executable, "-m", "mypy"],
    [sys.executable, "-c", "from importlinter.cli import lint_imports_command as check; check()"],
]
TESTS = [[sys.executable, "-m", "pytest"]]


@dataclass(slots=True, repr=False)
class Build:
    """One run of doit over one build folder."""

    config: Config
    layout: Layout
    code: str
    maker: stage_parse.Maker = stage_parse.build
    purging: tuple[RepositoryId, ...] = ()
    crew: Crew = field(default_factory=find_crew)
    lock: FileLock | None = None
    outcome: sync.SyncOutcome | None = None
    parsing: progress.Parsing = field(default_factory=progress.Parsing)
    made: Mapping[RepositoryId, Made] = field(default_factory=dict)
    known: Mapping[RepositoryId, RosterEntry] = field(default_factory=dict)
    read: Roster | None = None
    news: News | None = None

    def __repr__(self) -> str:
        """What doit shows of it: `doit clean` prints its action."""
        return str(self.layout.root)

    # sync

    @told
    def sync(self) -> None:
        """Ask every source; write snapshots, roster.json, sync.json."""
        self._take_lock()
        self.read = None
        purge.begin(self.layout, self.purging)
        if self.config.is_example:
            from pipeline import example

            example.materialise(layout.bundled("examples"), self.layout.example)
        options = sync.SyncOptions(
            offline=variables.is_on("offline"), accept_removals=variables.is_on("accept_removals"), now=clock.now
        )
        try:
            with progress.watching() as watch:
                self.outcome = sync.run(self.layout, self.config, options, SOURCES, watch)
            self.read = self.outcome.roster
        except ConfigError as error:
            raise ConfigError(tuple(f"{self.config.origin}: {each}" for each in error.mistakes)) from None
        if self.config.sources and not self.outcome.anything_readable and not self.layout.current_json.exists():
            raise PipelineError(self.outcome.why_nothing(offline=options.offline))

    def _take_lock(self) -> None:
        files.make_private(self.layout.root)
        try:
            self.lock = files.lock_build(self.layout.lock)
        except files.BuildRunning as error:
            (sys.__stderr__ or sys.stderr).write(f"{error}\n")
            raise SystemExit(files.LOCKED) from None

    # parse

    def roster(self) -> list[RepositoryId]:
        """Every repository that has a snapshot, sorted; none before the first sync.

        After the sync of a run that was asked for no repository by name: those alone whose artifact is to be
        made.  Ten thousand tasks with nothing to do cost doit a second and 40 MB.  Of very many, workers make
        first what goes well.
        """
        try:
            self._remember()
        except OSError as error:
            raise InvalidTask(f"{error.filename}: {error.strerror}; move it away and run `doit` again") from None
        shows_all = self.outcome is None or variables.names_subtask()
        if not shows_all:
            self._parse_many()
        return [name for name in sorted(self.known) if shows_all or not self._stands(name)]

    def _parse_many(self) -> None:
        left = [repository for repository in sorted(self.known) if not self._stands(repository)]
        if not self.crew.is_worth(len(left)):
            return
        from pipeline import stage_many

        work = functools.partial(attempt, self.maker)
        jobs = [(self.known[name], self._is_of_this_code(name)) for name in left]
        self.parsing.expect(len(left))
        # What the disk refuses here, the task of the first repository that is left meets again, and tells.
        with contextlib.suppress(OSError):
            for repository, digest in stage_many.make(self.layout, self.crew, work, jobs):
                self._note_made(repository, digest, self._wanted(repository))
                self.parsing.step()
        self.parsing.expected = self.parsing.parsed
        self.made = stage_record.read(self.layout.parsed)

    def _remember(self) -> None:
        self.made = stage_record.read(self.layout.parsed)
        self.known = {each.listing.repository: each for each in self._roster().entries if each.snapshot_digest}

    def _roster(self) -> Roster:
        """The roster as the sync of this run left it, read once."""
        if self.read is None:
            self.read = sync.read_roster(self.layout)
        return self.read

    def task_name(self, repository: RepositoryId) -> str:
        """How doit calls its sub-task: doit's names have no equals sign, a folder's may."""
        return repository.replace("%", "%25").replace("=", "%3D")

    def last_look(self, repository: RepositoryId) -> str:
        """Why it was or was not fetched; `doit info` shows it."""
        return roster_rows.last_look(self.known[repository])

    def artifact(self, repository: RepositoryId) -> str:
        """The target of a repository's parse task."""
        return str(self.layout.artifact(repository))

    def is_current(self, repository: RepositoryId) -> bool:
        """True when the artifact in stage was made of this very snapshot by this very code."""
        is_current = self._stands(repository)
        if not is_current:
            self.parsing.expect()
        return is_current

    def _stands(self, repository: RepositoryId) -> bool:
        row = self.made.get(repository)
        is_made = row is not None and (row.code, row.snapshot, row.history) == self._wanted(repository)
        return is_made and self.layout.has_artifact(repository)

    def _wanted(self, repository: RepositoryId) -> tuple[str, str, str]:
        """What its artifact is to be made of: our code, its snapshot and its history."""
        entry = self.known[repository]
        return self.code, entry.snapshot_digest or "", entry.history_digest or ""

    def _is_of_this_code(self, repository: RepositoryId) -> bool:
        row = self.made.get(repository)
        return row is not None and row.code == self.code

    @told
    def parse(self, repository: RepositoryId) -> None:
        """Turn one snapshot into project.json and the texts beside it.

        A snapshot that is lost, or whose bytes are, is brought anew by the next sync; until then the
        artifact stays what it was.
        """
        self._parse(repository)

    def _parse(self, repository: RepositoryId) -> None:
        entry = self.known[repository]
        inputs = stage_parse.read_inputs(self.layout, entry, is_same_code=self._is_of_this_code(repository))
        if inputs is None:
            SnapshotStore(self.layout).remove(repository)
            self._keep_artifact(repository)
            return
        made, texts = self._build_artifact(inputs)
        stage_parse.mend_history(self.layout, entry, inputs)
        content = codec.dump(made)
        stage.write_tree(self.layout.stage_project(repository), [*texts.items(), (PROJECT, content)])
        self._note_made(repository, _sha256(content), self._wanted(repository))
        self.parsing.step()

    def _keep_artifact(self, repository: RepositoryId) -> None:
        """Go on showing what stands in stage, as made of nothing, so that the next run makes it anew."""
        content = files.read_bytes(self.layout.artifact(repository))
        if content is not None:
            self._note_made(repository, _sha256(content), ("", "", ""))

    def _note_made(self, repository: RepositoryId, digest: str, made_of: tuple[str, str, str]) -> None:
        code, snapshot, history = made_of
        row = Made(repository=repository, snapshot=snapshot, history=history, code=code, artifact=digest)
        stage_record.append(self.layout.parsed, row)

    def _build_artifact(self, inputs: Inputs) -> tuple[Artifact, Mapping[str, bytes | None]]:
        """The artifact; after a crash one without history, else the last good one; the crash is told beside it."""
        made = attempt(self.maker, inputs)
        if not isinstance(made, Diagnostic):
            return made
        bare = made if inputs.history is None else attempt(self.maker, replace(inputs, history=None))
        if isinstance(bare, Diagnostic):
            return stage_parse.crashed(self.layout, inputs.snapshot, made)
        return replace(bare[0], diagnostics=(made, *bare[0].diagnostics)), bare[1]

    # roots

    @told
    def roots(self) -> None:
        """Turn the knowledge roots into roots.json and the texts beside it."""
        from pipeline import stage_roots

        stage_roots.write_roots(self.layout, self.code, self.config.knowledge, self._roster())

    # index

    @told
    def index(self) -> None:
        """Gather the artifacts into repos.json, tasks.json, knowledge.json, shared/ and the catalog."""
        self._index()

    def _index(self) -> None:
        self.parsing.end()
        rows = self._fold_record()
        roster = self._roster()
        inputs = (stage_record.index_inputs(entry, rows.get(entry.listing.repository)) for entry in roster.entries)
        mark = stage.mark_of(self.code, self.config.preferences, list(inputs))
        if not stage.is_done(self.layout, "index", mark):
            from pipeline import stage_index

            stage_index.write_index(self.layout, self.code, roster, rows, self.config.preferences)
            stage.set_done(self.layout, "index", mark)

    def _fold_record(self) -> dict[RepositoryId, Made]:
        """Keep the rows of the roster's repositories; what the others left in stage goes."""
        self._remember()
        for repository in sorted(self.made.keys() - self.known.keys()):
            files.remove_tree(self.layout.stage_project(repository))
        kept = {repository: row for repository, row in self.made.items() if repository in self.known}
        stage_record.write(self.layout.parsed, kept)
        return kept

    # report

    @told
    def report(self) -> None:
        """Write the HTML site of the staged catalog."""
        self._report()

    def _report(self) -> None:
        raw = (self.layout.stage / REPOS).read_bytes()
        settings = self.config.report
        roots = files.read_bytes(self.layout.stage / ROOTS_FILE) or b""
        mark = stage.mark_of(self.code, self.config.language, asdict(settings), _sha256(raw), _sha256(roots))
        if not stage.is_done(self.layout, "report", mark):
            from pipeline import stage_report

            stage_report.write_report(self.layout, self.code, self.config.language, settings, self.crew)
            stage.set_done(self.layout, "report", mark)

    # publish

    @told
    def publish(self) -> None:
        """Make the next version of what changed, then say how things stand."""
        old = _projects_of(self.layout, versions.announced(self.layout))
        reading = self._reading()
        current, is_new, projects = self._publish(reading)
        self._finish(reading, versions.compare(old, _texts(projects)), current, is_new=is_new)

    def _publish(self, reading: SyncReading) -> tuple[int, bool, Mapping[RepositoryId, str]]:
        """The number of the version that readers now see, whether it is a new one, and the digests of its projects."""
        before = versions.announced(self.layout)
        records = self._records().repositories
        projects = {row.repository: row.digest for row in records if row.digest and row.state != "gone"}
        number = versions.publish(self.layout, projects, self.config.keep_versions)
        current = number or before or 0
        self._tell_freshness(reading)
        if number or not self.layout.news_js.exists():
            # What is being purged is named nowhere any more.
            is_told = bool(number) and not purge.pending(self.layout)
            self.news = stage_news.write_news(
                self.layout, before if is_told else None, current, self.config.report, self.news if is_told else None
            )
        page = landing.render_landing(current, self._shown(reading), self.config.language)
        files.write_atomic(self.layout.report_html, page)
        return current, bool(number), projects

    def _tell_freshness(self, reading: SyncReading) -> None:
        files.write_atomic(self.layout.freshness_json, codec.dump(reading))
        shown = self._shown(reading)
        files.write_atomic(self.layout.freshness_js, freshness.render_freshness(shown))
        files.write_atomic(self.layout.looks_js, freshness.render_looks(shown))

    def _shown(self, reading: SyncReading) -> SyncReading:
        """What those who read the report may know of the last look."""
        if self.config.report.audience == "private":
            return reading
        unsaid = messages.load(self.config.language).text("project.no_reason")
        return audience.narrow_reading(reading, self._records().repositories, self.config.report.audience, unsaid)

    def _records(self) -> RepositoriesFile:
        return codec.load(RepositoriesFile, (self.layout.stage / REPOS).read_bytes(), REPOS)

    def _reading(self) -> SyncReading:
        return codec.load(SyncReading, self.layout.sync_json.read_bytes(), "sync.json")

    def _finish(self, reading: SyncReading, projects: versions.Difference, version: int, *, is_new: bool) -> None:
        """Forget what nobody needs any more, and say how things stand."""
        roster, purged = self._roster(), purge.pending(self.layout)
        forgotten = (
            purge.finish(self.layout, version, roster, clock.now())
            if purged
            else garbage.collect(self.layout, roster, clock.now())
        )
        told = summary.Summary(
            origin=self.config.origin,
            is_example=self.config.is_example,
            roster=roster,
            reading=reading,
            troubles=self.outcome.failed if self.outcome else (),
            projects=projects,
            version=version,
            is_new=is_new,
            report=str(self.layout.report_html),
            registration=registration.claude_line(),
            purged=purged,
            returning=purge.returning(purged, roster, self.config.sources, offline=reading.offline),
            doubt=forgotten.doubt,
        )
        sys.stdout.write(summary.render_summary(told))
        if purged and forgotten.doubt:
            raise PipelineError("purge: not finished, see above; the next `doit` goes on")
        doubts = self.outcome.doubts if self.outcome else ()
        if (told.troubles or doubts) and variables.is_on("strict"):
            raise PipelineError(f"strict: {len(told.troubles) + len(doubts)} could not be read; see above")

    # history

    def has_all_histories(self) -> bool:
        """True when there is no history that this run could bring."""
        return variables.is_on("offline") or not self._due()

    def _due(self) -> tuple[RosterEntry, ...]:
        from pipeline import history_run

        tried = self.outcome.tried if self.outcome else frozenset()
        return history_run.due(self._roster(), self.config.history, tried)

    @told
    def history(self) -> None:
        """Bring histories that are not here yet, as far as this run's requests reach, and publish what came."""
        from pipeline import history_run

        found = history_run.run(self.layout, self.config, self._due(), SOURCES, clock.now())
        self.read, self.parsing = found.roster, progress.Parsing()
        self._remember()
        for repository in found.brought:
            if repository in self.known and not self._stands(repository):
                self._parse(repository)
        reading = self._reading()
        version, is_new = self._show(reading) if found.brought else (0, False)
        self._tell_freshness(reading)
        told = summary.Histories(found.brought, found.failed, found.waiting, version if is_new else None)
        sys.stdout.write(summary.render_histories(told))

    def _show(self, reading: SyncReading) -> tuple[int, bool]:
        """Publish what has just been parsed; the version's number, and whether it is new."""
        self._index()
        self._report()
        version, is_new, _ = self._publish(reading)
        return version, is_new

    @told
    def clean(self) -> None:
        """Remove what is ours from the build folder; only doit's own state may stay."""
        self._take_lock()
        for path in self.layout.owned:
            files.remove_tree(path)
        files.sweep(self.layout.root)
        if self.lock:
            self.lock.release()
        self.layout.lock.unlink(missing_ok=True)


def attempt(maker: stage_parse.Maker, inputs: Inputs) -> tuple[Artifact, Mapping[str, bytes]] | Diagnostic:
    """What the maker makes of the inputs; a crash of it is told, whatever it is."""
    try:
        return maker(inputs)
    except Exception as error:  # noqa: BLE001  # a crash on one repository must not stop the others
        return diagnostics.crash(type(error).__name__)


def open_build(dodo_file: str) -> Build:
    """The build that the dodo.py of this path steers.

    Raises:
        InvalidDodoFile: the configuration has mistakes; the message tells them all.
    """
    speak_any_script()
    # What a run builds it keeps to its end: to look through it for rubbish again and again is a quarter of its time.
    gc.set_threshold(GARBAGE_AFTER, 20, 20)
    place = layout.find()
    wrong = variables.mistakes()
    try:
        if wrong:
            raise ConfigError(wrong)
        found = kinds.load_config(Path(dodo_file).resolve().parent, place)
        clock.now()
        purging = _purging(place)
    except ConfigError as error:
        raise InvalidDodoFile("\n".join(error.mistakes)) from None
    return Build(config=found, layout=place, code=stage.code_digest(), purging=purging)


def _purging(place: Layout) -> tuple[RepositoryId, ...]:
    """What `doit purge=…` asks to forget."""
    asked = variables.text("purge")
    try:
        return () if asked is None else purge.choose(asked, purge.known_repositories(place))
    except OSError as error:
        raise ConfigError((f"{error.filename}: {error.strerror}; move it away and run `doit` again",)) from None


def doit_config(build: Build) -> dict[str, object]:
    """What doit is told about itself."""
    return {
        "backend": "projects-meta",
        "dep_file": str(build.layout.doit_json),
        "reporter": Reporter,
        "verbosity": 2,
    }


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _projects_of(place: Layout, number: int | None) -> dict[str, str]:
    try:
        return _texts(versions.read_manifest(place, number).projects) if number else {}
    except ArtifactError:
        return {}


def _texts(projects: Mapping[RepositoryId, str]) -> dict[str, str]:
    return {str(repository): digest for repository, digest in projects.items()}
