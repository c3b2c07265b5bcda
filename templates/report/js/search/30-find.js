// Which texts hold every term of a query, best first: the same, in the same order, as the catalog answers.
(() => {
  "use strict";

  // Of the runs of letters that hold a word so many are looked up, and so many files are read for phrases.
  const MOST_RUNS = 20000;
  const MOST_FILES = 400;
  const FILES_AT_ONCE = 32;
  const FIELDS = 4;
  // How much a hit counts in slug, title, headings or next, and text: 0 most.
  const CLASSES = [0, 0, 1, 2];
  const HEADING_OR_FENCE = /^ {0,3}(?:(```|~~~)|(#{1,6}[ \t][^\n]*))/gm;
  const LETTERS = [[1, /[a-z]/], [2, /[0-9]/], [4, /[\u0400-\u04ff]/], [8, /[^\x00-\x7f\u0400-\u04ff]/]];
  const MOST_TEXTS = 2 ** 21;

  const { BLANK, numbers, index, blocks, shard, longRuns, texts, textFile, wholeness, NONE } = PM.search;

  const lettersOf = (term) => LETTERS.reduce((all, [bit, some]) => (some.test(term) ? all | bit : all), 0);

  const placeOf = (sorted, value) => {
    let [low, high] = [0, sorted.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] <= value) low = middle;
      else high = middle;
    }
    return low;
  };

  // The words of a block that hold a part, at their begin or end alone if so asked; the first `most` of them.
  const runsIn = ({ text: all, begins, firsts, shards }, { part, begin, end }, most) => {
    const needle = (begin ? " " : "") + part + (end ? " " : "");
    const found = [];
    for (let at = all.indexOf(needle); at >= 0 && found.length < most;) {
      const place = placeOf(begins, at + (begin ? 1 : 0) - 1);
      const word = all.slice(begins[place] + 1, begins[place + 1]);
      const owner = placeOf(firsts, place);
      found.push({ word, shard: shards[owner], place: place - firsts[owner] });
      at = all.indexOf(needle, begins[place + 1]);
    }
    return found;
  };

  const runsOf = (every, asked, most) => {
    const found = [];
    for (const one of every) found.push(...runsIn(one, asked, most - found.length));
    return found;
  };

  // Of too many words those that begin with the part: they stand together, in few shards.
  const chosenRuns = (every, asked, trouble) => {
    const found = runsOf(every, asked, MOST_RUNS + 1);
    if (found.length <= MOST_RUNS) return found;
    trouble.capped = true;
    const inside = found.filter(({ word }) => !word.startsWith(asked.part));
    return [...runsOf(every, { ...asked, begin: true }, MOST_RUNS), ...inside].slice(0, MOST_RUNS);
  };

  // Let the best field and wholeness of a run count for each of its texts.
  const read = (entry, isPart, ranks) => {
    let field = FIELDS - 1;
    for (let from = 0; from <= entry.length; field -= 1) {
      const dot = entry.indexOf(".", from);
      const to = dot < 0 ? entry.length : dot;
      const rank = field * 2 + isPart;
      let number = 0;
      numbers(entry, from, to, (step) => {
        number += step;
        if (rank < ranks[number]) ranks[number] = rank;
      });
      from = to + 1;
    }
  };

  const holds = (run, { part, begin, end }) => {
    if (begin && end) return run === part;
    if (begin) return run.startsWith(part);
    return end ? run.endsWith(part) : run.includes(part);
  };

  // By number: field × 2, + 1 where the part is only part of a word; NONE where it is not.
  const ranksOf = async (asked, trouble) => {
    const { size } = await index();
    const ranks = new Uint8Array(size).fill(NONE);
    const isWhole = wholeness(asked.part);
    const runs = chosenRuns(await blocks(), asked, trouble);
    const names = [...new Set(runs.map((run) => run.shard))];
    const entries = new Map(await Promise.all(names.map(async (name) => [name, await shard(name)])));
    for (const run of runs) read(entries.get(run.shard)[run.place], isWhole(run.word) ? 0 : 1, ranks);
    for (const [number, field, run] of await longRuns(lettersOf(asked.part))) {
      if (holds(run, asked)) ranks[number] = Math.min(ranks[number], field * 2 + (isWhole(run) ? 0 : 1));
    }
    return ranks;
  };

  // The parts of a phrase between its blanks, and at which ends of a run each stands.
  const partsOf = (phrase) => {
    const parts = phrase.split(BLANK);
    return parts.map((part, place) => ({ part, begin: place > 0, end: place < parts.length - 1 })).filter(({ part }) => part);
  };

  // The lines of a page that are headings; none of those inside a fence.
  const headings = (page) => {
    const found = [];
    let fence = null;
    for (const [, opening, heading] of page.matchAll(HEADING_OR_FENCE)) {
      if (opening) fence = fence === opening ? null : fence ?? opening;
      else if (fence === null) found.push(heading);
    }
    return found;
  };

  // The texts of each of the four fields.
  const fieldsOf = ({ kind, fields }) => {
    if (fields.length === 1) return [fields];
    const body = fields.at(-1);
    return [[fields[0]], [fields[1]], kind === "task" ? [fields[2]] : headings(body), [body]];
  };

  const rankIn = (written, phrase, isWhole) => {
    const fields = fieldsOf(written).map((texts) => texts.map(PM.fold));
    const field = fields.findIndex((texts) => texts.some((one) => one.includes(phrase)));
    return field < 0 ? NONE : field * 2 + (fields[field].some(isWhole) ? 0 : 1);
  };

  // The numbers that `isWanted`, by the file of texts that has them.
  const byFile = (rows, size, isWanted) => {
    const found = new Map();
    for (let number = 0; number < size; number += 1) {
      if (!isWanted(number)) continue;
      const name = textFile(rows, number);
      if (!found.has(name)) found.set(name, []);
      found.get(name).push(number);
    }
    return [...found];
  };

  // The texts that can hold a phrase are read.
  const phraseRanks = async (phrase, among, trouble) => {
    const every = await Promise.all(partsOf(phrase).map((part) => ranksOf(part, trouble)));
    const isWanted = (number) => among[number] !== NONE && every.every((one) => one[number] !== NONE);
    const wanted = byFile((await index()).texts, among.length, isWanted);
    if (wanted.length > MOST_FILES) trouble.capped = true;
    const ranks = new Uint8Array(among.length).fill(NONE);
    const isWhole = wholeness(phrase);
    const look = async ([name, own]) => {
      const written = await texts(name);
      for (const number of own) ranks[number] = rankIn(written.get(number), phrase, isWhole);
    };
    for (let at = 0; at < Math.min(wanted.length, MOST_FILES); at += FILES_AT_ONCE) {
      await Promise.all(wanted.slice(at, Math.min(at + FILES_AT_ONCE, MOST_FILES)).map(look));
    }
    return ranks;
  };

  const keep = (among, ranks) => {
    for (let number = 0; number < among.length; number += 1) if (ranks[number] === NONE) among[number] = NONE;
  };

  // The least class, the sum of classes, the terms that are parts of words, the place in lists: one number that sorts.
  const keyOf = (ranks, number, place) => {
    let [best, total, parts] = [CLASSES.length, 0, 0];
    for (const one of ranks) {
      const kind = CLASSES[one[number] >> 1];
      best = Math.min(best, kind);
      total += kind;
      parts += one[number] & 1;
    }
    return ((best * 1024 + total) * 512 + parts) * MOST_TEXTS + place;
  };

  const sortedBy = (among, ranks, { place, byPlace }) => {
    const keys = [];
    for (let number = 0; number < among.length; number += 1) {
      if (among[number] !== NONE) keys.push(keyOf(ranks, number, place[number]));
    }
    return Array.from(Float64Array.from(keys).sort(), (key) => byPlace[key % MOST_TEXTS]);
  };

  // The numbers of all texts that hold every term, best first; `capped`: there may be more.
  const find = async (terms) => {
    const trouble = { capped: false };
    const all = await index();
    const isPhrase = (term) => BLANK.test(term);
    const words = terms.filter((term) => !isPhrase(term));
    const ranks = await Promise.all(words.map((part) => ranksOf({ part, begin: false, end: false }, trouble)));
    const among = all.absent.slice();
    for (const one of ranks) keep(among, one);
    for (const phrase of terms.filter(isPhrase)) {
      ranks.push(await phraseRanks(phrase, among, trouble));
      keep(among, ranks.at(-1));
    }
    return { numbers: sortedBy(among, ranks, all), capped: trouble.capped };
  };

  PM.search.find = find;
})();
