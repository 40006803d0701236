/**
 * Text to insert into a source; nothing is ever removed. If several texts have the same position, texts that close a node come first, inner
 * nodes before outer ones. Then come texts that open a node, outer nodes before inner ones. So insertions nest as the nodes do, in whatever
 * order they are added.
 */
export class Edits {
  private readonly texts: string[] = [];
  private readonly positions: number[] = [];
  private readonly ranks: number[] = [];
  private highestRank = 0;
  /**
   * Start offsets of expression statements in functions. A parenthesis inserted there must not turn the preceding expression into a call.
   */
  private readonly guarded: ReadonlySet<number>;

  constructor(guarded: readonly number[]) {
    this.guarded = new Set(guarded);
  }

  /** `depth` is the node's depth in the tree, in steps of 0.5. Text of a deeper node is inserted further inside. */
  open(position: number, depth: number, text: string): void {
    this.add(position, 2 * depth + 2, text);
  }

  close(position: number, depth: number, text: string): void {
    this.add(position, -2 * depth - 2, text);
  }

  private add(position: number, rank: number, text: string): void {
    this.positions.push(position);
    this.ranks.push(rank);
    this.texts.push(text);
    if (rank > this.highestRank) this.highestRank = rank;
    else if (-rank > this.highestRank) this.highestRank = -rank;
  }

  get empty(): boolean {
    return this.texts.length === 0;
  }

  /** Calls `take` with each piece of text and its position, in order. */
  eachPiece(take: (position: number, text: string) => void): void {
    let last = -1;
    const order = this.order();
    for (let at = 0; at < order.length; at++) {
      const index = order[at] ?? 0;
      const position = this.positions[index] ?? 0;
      const text = this.texts[index] ?? '';
      const opens = (this.ranks[index] ?? 0) > 0;
      const first = opens && last !== position;
      if (opens) last = position;
      take(position, first && text.startsWith('(') && this.guarded.has(position) ? `;${text}` : text);
    }
  }

  /**
   * Sorts the pieces by position, then rank, then order of addition. All three are combined in one number, because numbers are sorted
   * without a compare function.
   */
  private order(): Float64Array {
    const { positions, ranks, highestRank } = this;
    const count = positions.length;
    const span = 2 * highestRank + 1;
    const keys = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      const place = (positions[index] ?? 0) * span + (ranks[index] ?? 0) + highestRank;
      keys[index] = place * count + index;
    }
    keys.sort();
    if ((keys[count - 1] ?? 0) > Number.MAX_SAFE_INTEGER) throw new RangeError('it is too large');
    for (let index = 0; index < count; index++) keys[index] = (keys[index] ?? 0) % count;
    return keys;
  }

  /** Returns the source with all pieces inserted. Calls `note` with each piece. */
  apply(source: string, note?: (position: number, text: string) => void): string {
    const parts: string[] = [];
    let from = 0;
    this.eachPiece((position, text) => {
      if (position > from) {
        parts.push(source.slice(from, position));
        from = position;
      }
      parts.push(text);
      note?.(position, text);
    });
    parts.push(source.slice(from));
    return parts.join('');
  }
}
