/**
 * Text put into a source, never removing any. Where several pieces meet at one position, what closes an inner node comes before what closes
 * an outer one, then what opens an outer node before what opens an inner one: so they nest as the nodes do, in whatever order they are added.
 */
export class Edits {
  private readonly texts: string[] = [];
  private readonly positions: number[] = [];
  private readonly ranks: number[] = [];
  private highestRank = 0;
  /** Where an expression statement begins in a list of statements: a parenthesis put there must not call what is before it. */
  private readonly guarded: ReadonlySet<number>;

  constructor(guarded: readonly number[]) {
    this.guarded = new Set(guarded);
  }

  /** `depth` is the node's in the tree, in halves; the deeper, the further inside. */
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

  /** Calls `take` with the pieces in order, each where it goes. */
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

  /** By position, then rank, then as they were added: all three in one number each, since plain numbers are sorted without calling back. */
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

  /** The source with the pieces in it. `note` gets each piece too. */
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
