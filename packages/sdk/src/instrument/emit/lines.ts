/** Finds line and column of offsets in one source. */
export class Lines {
  /** The offset of each line's first character. */
  private readonly starts: readonly number[];
  /** Index of the line found last. The next search begins at this line, because most offsets are in this line or the next one. */
  private last = 0;

  constructor(source: string) {
    this.starts = findStarts(source);
  }

  /** Returns the position of an offset: `line` counts from 1, `column` from 0 in UTF-16 units. */
  at(offset: number): { line: number; column: number } {
    const { starts } = this;
    if (!this.isIn(this.last, offset))
      this.last = this.isIn(this.last + 1, offset) ? this.last + 1 : this.find(offset);
    return { line: this.last + 1, column: offset - (starts[this.last] ?? 0) };
  }

  private isIn(line: number, offset: number): boolean {
    return (this.starts[line] ?? Infinity) <= offset && offset < (this.starts[line + 1] ?? Infinity);
  }

  private find(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? Infinity) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function findStarts(source: string): number[] {
  const starts = [0];
  // Nearly all lines end in LF or CRLF. Three plain searches for other line ends are several times faster than one search with a pattern.
  const mayHaveOthers = source.includes('\r') || source.includes('\u2028') || source.includes('\u2029');
  if (mayHaveOthers && /\r(?!\n)|[\u2028\u2029]/.test(source)) {
    for (const end of source.matchAll(/\r\n?|[\n\u2028\u2029]/g)) starts.push(end.index + end[0].length);
    return starts;
  }
  for (let end = source.indexOf('\n'); end >= 0; end = source.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}
