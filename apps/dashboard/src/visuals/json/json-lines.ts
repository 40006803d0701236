/**
 * Formatted JSON with its line index in typed arrays, so that a million lines take little more memory than their bytes and can be
 * transferred from a worker to the page without copying.
 */
export interface JsonLines {
  /** The formatted JSON in UTF-8, lines separated by `\n`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The start of each line, and the end of the last: there are `starts.length - 1` lines. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /**
   * For a line that opens an object or list with members: the index of its closing line. If the closing line has not arrived, the number of
   * lines. For any other line: 0.
   */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** For a line that opens an object or list: its number of members. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** The depth of each line; the outermost is 0. */
  readonly levels: Uint16Array<ArrayBuffer>;
}

/** The folding state: lines at `openLevels` or deeper are folded, except for lines that the user toggled. */
export interface Folding {
  readonly openLevels: number;
  readonly turned: ReadonlySet<number>;
}

export function countLines(lines: JsonLines): number {
  return lines.starts.length - 1;
}

/** True if the line opens an object or list that has members. */
export function isOpener(lines: JsonLines, line: number): boolean {
  return (lines.ends[line] ?? 0) > 0;
}

/** True if the line opens an object or list whose closing line has not arrived. */
export function isUnfinished(lines: JsonLines, line: number): boolean {
  return (lines.ends[line] ?? 0) >= countLines(lines);
}

export function isFolded(lines: JsonLines, folding: Folding, line: number): boolean {
  if (!isOpener(lines, line)) return false;
  return (lines.levels[line] ?? 0) >= folding.openLevels !== folding.turned.has(line);
}

/** Returns the lines to show, in order. A folded line hides the lines up to its closing bracket; this function skips them. */
export function listShownLines(lines: JsonLines, folding: Folding): Uint32Array {
  const count = countLines(lines);
  const shown = new Uint32Array(count);
  let at = 0;
  for (let line = 0; line < count; line += 1) {
    shown[at] = line;
    at += 1;
    if (isFolded(lines, folding, line)) line = lines.ends[line] ?? line;
  }
  return shown.slice(0, at);
}

/** Returns the index of a line among the shown lines. For a hidden line, returns the index of the folded line that hides it. */
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

/** Returns the line that opens the object or list to which a line belongs; undefined at the top level. */
export function findParentLine(lines: JsonLines, line: number): number | undefined {
  const level = lines.levels[line] ?? 0;
  for (let before = line - 1; before >= 0; before -= 1) {
    if ((lines.levels[before] ?? 0) < level && (lines.ends[before] ?? 0) >= line) return before;
  }
  return undefined;
}

/** Toggles a line between folded and open. */
export function turnLine(folding: Folding, line: number): Folding {
  const turned = new Set(folding.turned);
  if (!turned.delete(line)) turned.add(line);
  return { ...folding, turned };
}

/** Returns the folding with all parents of a line open. Returns the same object if the line is already shown. */
export function revealLine(lines: JsonLines, folding: Folding, line: number): Folding {
  let revealed = folding;
  for (let above = findParentLine(lines, line); above !== undefined; above = findParentLine(lines, above)) {
    if (isFolded(lines, revealed, above)) revealed = turnLine(revealed, above);
  }
  return revealed;
}
