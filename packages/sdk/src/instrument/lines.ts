/** Finds line and column of offsets in one source. */
export class Lines {
  private readonly starts: number[] = [0];

  constructor(source: string) {
    for (let index = 0; index < source.length; index++) {
      const code = source.charCodeAt(index);
      // A carriage return before a line feed is part of the same end; the two Unicode ends count in JavaScript too.
      const ends =
        code === 10 ||
        code === 0x2028 ||
        code === 0x2029 ||
        (code === 13 && source.charCodeAt(index + 1) !== 10);
      if (ends) this.starts.push(index + 1);
    }
  }

  /** `line` from 1, `column` from 0, in UTF-16 units. */
  at(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) };
  }
}
