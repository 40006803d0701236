/**
 * A JSON text laid out in lines, with an index of typed arrays, so that a million lines cost what their text costs and
 * go from a worker to the page in one piece.
 */
export interface JsonLines {
  /** The formatted text, UTF-8, lines parted by `\n`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each line begins, and, last, where one more would: lines are `starts.length - 1`. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** For a line that opens an object or list: its closing line, or one beyond the last if that has not arrived. Else 0. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** For a line that opens an object or list: the number of its members. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** How deep each line lies; the outermost is 0. */
  readonly levels: Uint16Array<ArrayBuffer>;
}

/** Which lines are folded: those at `openLevels` or deeper, but for the ones turned by hand. */
export interface Folding {
  readonly openLevels: number;
  readonly turned: ReadonlySet<number>;
}

export function lineCount(lines: JsonLines): number {
  return lines.starts.length - 1;
}

/** True if the line opens an object or list with members. */
export function isOpener(lines: JsonLines, line: number): boolean {
  return (lines.ends[line] ?? 0) > 0;
}

/** True if the line opens an object or list whose end has not arrived. */
export function isUnfinished(lines: JsonLines, line: number): boolean {
  return (lines.ends[line] ?? 0) >= lineCount(lines);
}

export function isFolded(lines: JsonLines, folding: Folding, line: number): boolean {
  if (!isOpener(lines, line)) return false;
  return (lines.levels[line] ?? 0) >= folding.openLevels !== folding.turned.has(line);
}

/** The lines to show, in order. A folded one stands for all to its closing bracket; what lies inside is never looked at. */
export function shownLines(lines: JsonLines, folding: Folding): Uint32Array {
  const count = lineCount(lines);
  const shown = new Uint32Array(count);
  let at = 0;
  for (let line = 0; line < count; line += 1) {
    shown[at] = line;
    at += 1;
    if (isFolded(lines, folding, line)) line = lines.ends[line] ?? line;
  }
  return shown.slice(0, at);
}

/** The place of a line among those shown, or of the fold that contains it. */
export function indexOfLine(shown: Uint32Array, line: number): number {
  let low = 0;
  let high = shown.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((shown[middle] ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line that opens the direct parent; undefined at the top. */
export function parentLine(lines: JsonLines, line: number): number | undefined {
  const level = lines.levels[line] ?? 0;
  for (let before = line - 1; before >= 0; before -= 1) {
    if ((lines.levels[before] ?? 0) < level && (lines.ends[before] ?? 0) >= line) return before;
  }
  return undefined;
}

/** Turns a line: folded opens, open folds. */
export function turnLine(folding: Folding, line: number): Folding {
  const turned = new Set(folding.turned);
  if (!turned.delete(line)) turned.add(line);
  return { ...folding, turned };
}

/** The folding with all parents of a line open. The same object if the line is shown already. */
export function revealLine(lines: JsonLines, folding: Folding, line: number): Folding {
  let revealed = folding;
  for (let above = parentLine(lines, line); above !== undefined; above = parentLine(lines, above)) {
    if (isFolded(lines, revealed, above)) revealed = turnLine(revealed, above);
  }
  return revealed;
}
