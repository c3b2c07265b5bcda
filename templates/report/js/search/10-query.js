// What a query means, and what a result shows of a text: the same as the catalog's.
(() => {
  "use strict";

  const LONGEST = 400;
  const BLANKS = "[ \\t\\n\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]";
  const TERM = new RegExp(`"([^"]*)"|([^${BLANKS.slice(1, -1)}]+)`, "gu");
  const BLANK = new RegExp(`${BLANKS}+`, "u");
  const BREAKS = /\r\n|\r/g;
  const ODD_BREAKS = /[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]/g;
  const INVISIBLE = new RegExp("[\\x00-\\x08\\x0e-\\x1b\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\\u061c\\u115f\\u1160\\u17b4\\u17b5"
    + "\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb"
    + "\\u{e0000}-\\u{e0fff}\\ud800-\\udfff]", "gu");
  const JOINERS = /[\u200c\u200d\ufe0f]/;
  const WORD = "[\\p{L}\\p{N}_]";
  const SIGNS = /[\\^$.*+?()[\]{}|/]/g;
  const MAPPED_LETTERS = 32;
  const LONGEST_LETTER = 64;
  const NEAR = 512;

  const joins = (before, joiner) => {
    if (before === "\u200c" || before === "\u200d") return false;
    if (before === "\ufe0f") return joiner === "\u200d";
    if (joiner === "\ufe0f") return /[#*0-9\u203c\u2049\p{S}]/u.test(before);
    return /[\p{L}\p{M}\p{S}]/u.test(before);
  };

  const joined = (text) => {
    const kept = [];
    for (const letter of text) {
      if (!JOINERS.test(letter) || (kept.length && joins(kept.at(-1), letter))) kept.push(letter);
    }
    while (kept.length && /[\u200c\u200d]/.test(kept.at(-1))) kept.pop();
    return kept.join("");
  };

  // The text without letters that nobody sees.
  const clean = (text) => {
    const seen = text.replace(BREAKS, "\n").replace(ODD_BREAKS, " ").replace(INVISIBLE, "");
    return JOINERS.test(seen) ? joined(seen) : seen;
  };

  // The folded words and phrases of a query, each once; none for one that is empty, too long or holds a NUL.
  const parse = (query) => {
    if ([...query].length > LONGEST || query.includes("\0")) return [];
    const found = [...clean(query).matchAll(TERM)].map(([, phrase, word]) => PM.fold(word ?? phrase));
    return [...new Set(found.filter((term) => term.split(BLANK).some(Boolean)))];
  };

  // Tells of a text whether a term stands in it without letters or digits at its sides.
  const wholeness = (term) => {
    const literal = term.replace(SIGNS, "\\$&");
    const pattern = new RegExp(`${literal}(?<!${WORD}${literal})(?!${WORD})`, "u");
    return (text) => pattern.test(text);
  };

  // Whether normalisation cannot reach across the place before this letter.
  const starts = (text, at) => {
    const unit = text.charCodeAt(at);
    if (unit < 0x300) return true;
    if ((unit >= 0xdc00 && unit <= 0xdfff) || (unit >= 0x1160 && unit <= 0x11ff)) return false;
    return !/^\p{M}/u.test(String.fromCodePoint(text.codePointAt(at)));
  };

  // For each letter of the fold, where it comes from; and where the text ends.
  const offsets = (text) => {
    const found = [];
    let start = 0;
    for (let end = 1; end <= text.length; end += 1) {
      if (end < text.length && !starts(text, end)) continue;
      for (let left = PM.fold(text.slice(start, end)).length; left > 0; left -= 1) found.push(start);
      start = end;
    }
    return [...found, text.length];
  };

  // Where the first match of any term begins; -1 when none is there.
  const firstPlace = (text, terms) => {
    const folded = PM.fold(text);
    const places = terms.map((term) => folded.indexOf(term)).filter((place) => place >= 0);
    if (!places.length) return -1;
    let [start, end, left] = [0, text.length, Math.min(...places)];
    while (end - start > MAPPED_LETTERS) {
      let middle = (start + end) >> 1;
      while (middle < end && !starts(text, middle)) middle += 1;
      if (middle === end) break;
      const before = PM.fold(text.slice(start, middle)).length;
      if (left >= before) [start, left] = [middle, left - before];
      else end = middle;
    }
    return start + offsets(text.slice(start, end))[left];
  };

  const line = (letters) => clean(letters.join("")).split(BLANK).filter(Boolean).join(" ");
  const isBlank = (letter) => letter === " " || letter === "\n" || letter === "\t";

  // The nearest place before `place` where a letter begins.
  const letterAt = (letters, place) => {
    for (let at = place; at > Math.max(0, place - LONGEST_LETTER); at -= 1) {
      if (starts(letters[at], 0) && !/[\u200c\u200d]/.test(letters[at - 1])) return at;
    }
    return place;
  };

  const firstBlank = (letters, from, to, blank) => {
    const at = letters.indexOf(blank, from);
    return at < to ? at : -1;
  };

  const beginning = (letters, start, place) => {
    const space = Math.max(...[" ", "\n", "\t"].map((blank) => firstBlank(letters, start, place, blank)));
    return space >= 0 ? space + 1 : letterAt(letters, start);
  };

  const ending = (letters, place, end) => {
    let space = end - 1;
    while (space > place && !isBlank(letters[space])) space -= 1;
    return space > place ? space : letterAt(letters, end);
  };

  // About `width` letters around the first match of any term, cut at words; without one, the beginning.
  const snippet = (text, terms, width) => {
    const found = Math.max(0, firstPlace(text, terms));
    const before = [...text.slice(Math.max(0, found - NEAR), found)];
    const letters = [...before, ...text.slice(found, found + NEAR)];
    const place = before.length;
    let start = Math.max(0, Math.min(place - Math.floor(width / 3), letters.length - width));
    let end = Math.min(letters.length, start + width);
    const isCut = end < letters.length;
    if (start > 0) start = beginning(letters, start, place);
    if (isCut) end = ending(letters, place, end);
    const whole = [...line(letters.slice(start, end))];
    const cut = whole.length <= width + 2 ? whole.join("") : `${whole.slice(0, width + 1).join("").trimEnd()}…`;
    return `${start > 0 ? "…" : ""}${cut}${isCut && !cut.endsWith("…") ? "…" : ""}`;
  };

  const everyPlace = (folded, term) => {
    const found = [];
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
      found.push([at, at + term.length]);
    }
    return found;
  };

  // The pieces of a text, each with whether it is one of the terms.
  const marked = (text, terms) => {
    const from = offsets(text);
    const spans = terms.flatMap((term) => everyPlace(PM.fold(text), term)).sort(([a, b], [c, d]) => a - c || d - b);
    const pieces = [];
    let done = 0;
    for (const [first, last] of spans) {
      const [start, end] = [Math.max(done, from[first]), from[last]];
      if (end <= start) continue;
      if (start > done) pieces.push([text.slice(done, start), false]);
      pieces.push([text.slice(start, end), true]);
      done = end;
    }
    return done < text.length ? [...pieces, [text.slice(done), false]] : pieces;
  };

  PM.search = { LONGEST, BLANK, clean, parse, wholeness, firstPlace, snippet, marked };
})();
