// The list of tasks.
(() => {
  "use strict";

  const { said, link, quiet, date, iso, names, STATUSES, DAY } = PM.lists;
  const AGES = ["week", "month", "quarter", "older", "unknown"];
  const say = (name) => PM.text(`script_lists.${name}`);
  const now = Date.now() / 1000;
  const older = (seconds, days) => seconds !== null && now - seconds > days * DAY;

  const age = (since) => {
    if (since === null) return "unknown";
    if (!older(since, 7)) return "week";
    if (!older(since, 30)) return "month";
    return older(since, 90) ? "older" : "quarter";
  };

  const unpacked = (parts) => {
    const call = names(parts.map(([project]) => project));
    return parts.flatMap(([project, page, ownersNamed, tasks]) => tasks.map((task) => {
      const [slug, title, status, written, next, owner, since, changed, line, anchor] = task;
      const name = call(project);
      return {
        project, page, name, slug, title, status, written, next, owner, since, changed, line, ownersNamed,
        href: `${page}#${anchor ?? `t-${slug}`}`,
        rank: STATUSES.indexOf(status),
        text: PM.fold([title, slug, name, status, written, next, owner].filter(Boolean).join("\n")),
        values: { status, project: name, owner: owner ?? "", age: age(since) },
      };
    }));
  };

  // As agents are told them: by status, those that changed last first, then by project and place in the board.
  const rows = (parts) => unpacked(parts).sort((one, other) => one.rank - other.rank || (other.changed ?? 0) - (one.changed ?? 0)
    || (one.project === other.project ? one.line - other.line : one.project < other.project ? -1 : 1));

  const title = (row) => PM.make("th", { scope: "row" },
    said("a", row.title, { href: PM.root + row.href }),
    PM.make("span", { class: "where" },
      PM.make("span", { class: "narrow" }, link(row.page, row.name)),
      row.slug === row.title ? null : PM.make("code", {}, row.slug)),
    row.next === null ? null : PM.make("span", { class: "next" }, `${say("next")}: `, said("span", row.next)));

  const status = (row) => PM.make("td", { class: `s-${row.status}` },
    PM.make("span", { class: "dot" }, PM.text(`status.${row.status}`)),
    row.written === null ? null : said("span", row.written, { class: "where" }));

  const isOpen = (row) => row.status !== "done" && row.status !== "cancelled";
  const isHeld = (row) => row.status === "active" || row.status === "blocked";

  PM.lists.every.tasks = {
    rows,
    home: "open",
    group: "status",
    counted: (number) => PM.count("script_lists_counts.tasks", number),
    views: [
      { name: "open", holds: isOpen },
      { name: "all", holds: () => true },
      { name: "blocked", holds: (row) => row.status === "blocked" },
      { name: "stale", holds: (row) => isHeld(row) && older(row.changed, 30) },
      { name: "unowned", holds: (row) => isOpen(row) && row.owner === null && row.ownersNamed === 1 },
      { name: "week", holds: (row) => row.status === "done" && row.since !== null && !older(row.since, 7) },
    ],
    // What a view cannot tell: tasks that are done since nobody knows when.
    unknown: { week: (row) => row.status === "done" && row.since === null },
    facets: [
      { name: "status", values: STATUSES, place: (value) => STATUSES.indexOf(value), label: (value) => PM.text(`status.${value}`) },
      { name: "owner", place: (value) => (value === "" ? null : PM.fold(value)), label: (value) => value || say("no_owner") },
      { name: "project", place: PM.fold, label: (value) => value },
      { name: "age", values: AGES, place: (value) => AGES.indexOf(value), label: (value) => say(`age_${value}`) },
    ],
    periods: [{ name: "since", of: (row) => row.since }, { name: "changed", of: (row) => row.changed }],
    columns: [
      { name: "title", key: (row) => PM.fold(row.title), cell: title },
      { name: "project", isWide: true, key: (row) => PM.fold(row.name), cell: (row) => PM.make("td", { class: "wide" }, link(row.page, row.name)) },
      { name: "status", key: (row) => row.rank, cell: status },
      { name: "owner", isWide: true, key: (row) => (row.owner === null ? null : PM.fold(row.owner)), cell: (row) => PM.make("td", { class: "wide" }, row.owner ?? quiet(say("no_owner"))) },
      { name: "since", isWide: true, key: (row) => row.since, cell: (row) => PM.make("td", { class: "wide" }, date(row.since, say("no_since"))) },
      { name: "changed", isWide: true, key: (row) => row.changed, cell: (row) => PM.make("td", { class: "wide" }, date(row.changed, PM.text("unknown.no_change"))) },
    ],
    csv: [
      ["project", (row) => row.project], ["slug", (row) => row.slug], ["title", (row) => row.title], ["status", (row) => row.status],
      ["status_text", (row) => row.written ?? row.status], ["next", (row) => row.next], ["owner", (row) => row.owner],
      ["since", (row) => iso(row.since)], ["changed_at", (row) => iso(row.changed)], ["line", (row) => row.line],
    ],
  };
})();
