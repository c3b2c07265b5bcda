// The list of projects.
(() => {
  "use strict";

  const { link, tag, quiet, date, iso, STATUSES, DAY } = PM.lists;
  const SHOWN = ["active", "blocked", "paused", "todo", "done"];
  const WIDE = ["paused", "done"];
  const STATES = ["ok", "unreachable", "renamed", "gone"];
  const VISIBILITIES = ["private", "internal", "public"];
  const KINDS = ["plain", "shared", "archived"];
  const QUIET_DAYS = 90;
  const say = (name) => PM.text(`script_lists.${name}`);
  const now = Date.now() / 1000;

  const rows = (packed) => {
    return packed.map(([project, href, source, state, reason, visibility, archived, shared, why, tasks, wiki, wikiHref, changed]) => {
      const [host, owner] = project.split("/");
      const kind = archived ? "archived" : shared ? "shared" : "plain";
      return {
        project, href, source, state, reason, visibility, archived, shared, why, wiki, wikiHref, changed,
        name: project.split("/").at(-1),
        owner: `${host}/${owner}`,
        tasks: tasks && Object.fromEntries(STATUSES.map((status, place) => [status, tasks[place]])),
        text: PM.fold([project, source, reason].filter(Boolean).join("\n")),
        values: { owner: `${host}/${owner}`, state, source, visibility, kind },
      };
    }).sort((one, other) => (one.project < other.project ? -1 : 1));
  };

  // Why nothing is known of a project, or that it has no board.
  const unknown = (why) => quiet(PM.text(`unknown.${why}`));

  const number = (row, count, href, wide) => PM.make("td", { class: `n${wide ? " wide" : ""}${count === 0 ? " zero" : ""}` },
    count === null ? unknown(row.why ?? "unread") : count === 0 ? PM.number(0) : link(href, PM.number(count)));

  const name = (row) => PM.make("th", { scope: "row" },
    link(row.href, row.name),
    row.shared ? tag(say("kind_shared")) : null, row.archived ? tag(say("kind_archived")) : null,
    PM.make("span", { class: "where" }, row.owner),
    row.state === "ok" ? null : PM.make("span", { class: "narrow" }, tag(PM.text(`state.${row.state}`), `state-${row.state}`)));

  const state = (row) => PM.make("td", { class: "wide" }, tag(PM.text(`state.${row.state}`), `state-${row.state}`),
    row.reason === null ? null : PM.make("span", { class: "where", lang: "en" }, row.reason));

  const count = (status) => ({
    name: status,
    heading: () => PM.text(`status.${status}`),
    isNumber: true,
    isWide: WIDE.includes(status),
    key: (row) => row.tasks && row.tasks[status],
    cell: (row) => number(row, row.tasks && row.tasks[status], `${row.href}#h-${status}`, WIDE.includes(status)),
  });

  const has = (status) => (row) => row.tasks !== null && row.tasks[status] > 0;
  const fixed = (facet, values, label) => ({ name: facet, values, place: (value) => values.indexOf(value), label });
  const found = (facet) => ({ name: facet, place: PM.fold, label: (value) => value });

  PM.lists.every.projects = {
    rows,
    home: "all",
    counted: (number) => PM.count("script_lists_counts.projects", number),
    views: [
      { name: "all", holds: () => true },
      { name: "with_active", holds: has("active") },
      { name: "with_blocked", holds: has("blocked") },
      { name: "troubled", holds: (row) => row.state !== "ok" },
      { name: "quiet", holds: (row) => row.changed !== null && now - row.changed > QUIET_DAYS * DAY },
      { name: "no_board", holds: (row) => row.why === "no_board" },
    ],
    unknown: {},
    facets: [
      found("owner"),
      fixed("state", STATES, (value) => PM.text(`state.${value}`)),
      found("source"),
      fixed("visibility", VISIBILITIES, (value) => say(value)),
      fixed("kind", KINDS, (value) => say(`kind_${value}`)),
    ],
    periods: [{ name: "changed", of: (row) => row.changed }],
    columns: [
      { name: "project", key: (row) => PM.fold(row.name), cell: name },
      { name: "state", isWide: true, key: (row) => STATES.indexOf(row.state), cell: state },
      ...SHOWN.map(count),
      { name: "wiki", isNumber: true, isWide: true, key: (row) => row.wiki, cell: (row) => number(row, row.wiki, row.wikiHref, true) },
      { name: "changed", isWide: true, key: (row) => row.changed, cell: (row) => PM.make("td", { class: "wide" }, date(row.changed, PM.text("unknown.no_change"))) },
    ],
    csv: [
      ["project", (row) => row.project], ["source", (row) => row.source], ["state", (row) => row.state], ["reason", (row) => row.reason],
      ["visibility", (row) => row.visibility], ["archived", (row) => row.archived], ["shared", (row) => row.shared],
      ...STATUSES.map((status) => [status, (row) => row.tasks && row.tasks[status]]),
      ["wiki_pages", (row) => row.wiki], ["changed_at", (row) => iso(row.changed)],
    ],
  };
})();
