// The files of the search index: which there are, and what they say once they are loaded.
(() => {
  "use strict";

  const KEPT = { s: 600, t: 40 };
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const VALUES = new Uint8Array(128);
  [...DIGITS].forEach((digit, value) => { VALUES[digit.charCodeAt(0)] = value; });

  // Stands for a text that is not there, or does not hold what was asked for.
  const NONE = 255;

  const arrived = new Map();
  const loading = new Map();

  // Called by every file of the index.
  window.PM_SEARCH = (name, value) => arrived.set(name, value);

  const load = async (name) => {
    await PM.load(name === "index" ? "a/search-index.js" : `a/s/${name}.js`);
    const value = arrived.get(name);
    arrived.delete(name);
    return value;
  };

  // Of shards and texts only so many are kept: those that came last.
  const forget = (kind) => {
    const kept = [...loading.keys()].filter((name) => name.startsWith(`${kind}-`));
    kept.slice(0, Math.max(0, kept.length - KEPT[kind])).forEach((name) => loading.delete(name));
  };

  // What a file says, as `read` makes it; loaded once.
  const file = (name, read = (value) => value) => {
    const known = loading.get(name);
    if (known) return known;
    const coming = load(name).then(read);
    loading.set(name, coming);
    coming.catch(() => loading.delete(name));
    if (name[0] in KEPT) forget(name[0]);
    return coming;
  };

  // Each number that is written between two places of a text.
  const numbers = (written, from, to, use) => {
    let value = 0;
    for (let at = from; at < to; at += 1) {
      const digit = VALUES[written.charCodeAt(at)];
      if (digit < 32) {
        use(value * 32 + digit);
        value = 0;
      } else {
        value = value * 32 + digit - 32;
      }
    }
  };

  // Texts by number: whose they are, of which kind, and which place they have in lists.
  const numbered = (projects, kinds) => {
    let size = 0;
    let order = 0;
    const found = [];
    projects.forEach(({ lists }, project) => lists.forEach((list, kind) => numbers(list, 0, list.length, (number) => {
      found.push([number, project, kinds[kind], order]);
      order += 1;
      size = Math.max(size, number + 1);
    })));
    const project = new Int32Array(size).fill(-1);
    const kind = new Array(size);
    const place = new Int32Array(size);
    const byPlace = new Int32Array(order);
    const absent = new Uint8Array(size).fill(NONE);
    for (const [number, owner, what, at] of found) {
      project[number] = owner;
      kind[number] = what;
      place[number] = at;
      byPlace[at] = number;
      absent[number] = 0;
    }
    return { size, project, kind, place, byPlace, absent };
  };

  const index = () => file("index", (plain) => {
    const projects = plain.projects.map(([id, , changedAt, ...lists]) => ({ id, changedAt, lists }));
    return { ...plain, projects, ...numbered(projects, ["project", "task", "wiki", "shared"]) };
  });

  // All words of some shards in one text, each between blanks; where each begins, and which shard it is of.
  const block = (shards) => {
    const words = [];
    const firsts = [];
    for (const [, written] of shards) {
      let word = "";
      firsts.push(words.length);
      for (const one of written.split(" ")) {
        word = word.slice(0, VALUES[one.charCodeAt(0)]) + one.slice(1);
        words.push(word);
      }
    }
    const begins = new Uint32Array(words.length + 1);
    words.forEach((word, place) => { begins[place + 1] = begins[place] + word.length + 1; });
    return { text: ` ${words.join(" ")} `, begins, firsts, shards: shards.map(([name]) => name) };
  };

  const blocks = async () => Promise.all((await index()).words.map((name) => file(name, block)));
  const shard = (name) => file(name, (entries) => entries.split(" "));
  const longRuns = async (letters) => {
    const names = (await index()).long.filter(([, kinds]) => (letters & ~kinds) === 0).map(([, , name]) => name);
    return (await Promise.all(names.map((name) => file(name)))).flat();
  };

  // The last row whose first number is not above this one.
  const before = (rows, number) => {
    let [low, high] = [0, rows.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (rows[middle][0] <= number) low = middle;
      else high = middle;
    }
    return rows[low];
  };

  const byNumber = (texts) => new Map(texts.map(([number, kind, , href, note, ...fields]) => [number, { kind, href, note, fields }]));
  const texts = (name) => file(name, byNumber);

  // The name of the file that has a text, if `rows` are those of the index.
  const textFile = (rows, number) => before(rows, number)[1];

  // One text as written: kind, href, note (a page's path, a task's status) and fields, the body last.
  const text = async (number) => (await texts(textFile((await index()).texts, number))).get(number);

  Object.assign(PM.search, { numbers, index, blocks, shard, longRuns, texts, textFile, text, NONE });
})();
