/** Finds line and column of offsets in one source; offsets that come in order are found quickest. */
export class Lines {
  private readonly source: string;
  /** True if `\n`, alone or after `\r`, ends every line; JavaScript also counts the two Unicode line ends and a lone `\r`. */
  private readonly isPlain: boolean;
  private line = 1;
  private start = 0;

  constructor(source: string) {
    this.source = source;
    // Three looks are several times quicker than one with the pattern.
    const isPlain = !source.includes('\r') && !source.includes('\u2028') && !source.includes('\u2029');
    this.isPlain = isPlain || !/\r(?!\n)|[\u2028\u2029]/.test(source);
  }

  /** `line` from 1, `column` from 0, in UTF-16 units. */
  at(offset: number): { line: number; column: number } {
    if (offset < this.start) {
      this.line = 1;
      this.start = 0;
    }
    for (let next = this.nextStart(); next <= offset; next = this.nextStart()) {
      this.line++;
      this.start = next;
    }
    return { line: this.line, column: offset - this.start };
  }

  /** Where the line after this one begins; past all offsets after the last one. */
  private nextStart(): number {
    const { source, start } = this;
    if (this.isPlain) {
      const end = source.indexOf('\n', start);
      return end < 0 ? source.length + 1 : end + 1;
    }
    const ends = /\r\n?|[\n\u2028\u2029]/g;
    ends.lastIndex = start;
    const end = ends.exec(source);
    return end === null ? source.length + 1 : ends.lastIndex;
  }
}
