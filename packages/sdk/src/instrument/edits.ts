interface Edit {
  readonly position: number;
  readonly rank: number;
  readonly text: string;
}

/**
 * Text put into a source, never removing any. Where several pieces meet at one position, what closes an inner node comes before what closes
 * an outer one, then what opens an outer node before what opens an inner one: so they nest as the nodes do, in whatever order they are added.
 */
export class Edits {
  private readonly list: Edit[] = [];
  /** Where an expression statement begins in a list of statements: a parenthesis put there must not call what is before it. */
  private readonly guarded = new Set<number>();

  /** `depth` is the node's in the tree; the deeper, the further inside. */
  open(position: number, depth: number, text: string): void {
    this.list.push({ position, rank: depth + 1, text });
  }

  close(position: number, depth: number, text: string): void {
    this.list.push({ position, rank: -depth - 1, text });
  }

  guard(position: number): void {
    this.guarded.add(position);
  }

  get empty(): boolean {
    return this.list.length === 0;
  }

  /** The pieces in order, each where it goes. */
  *pieces(): Generator<{ readonly position: number; readonly text: string }> {
    this.list.sort((a, b) => a.position - b.position || a.rank - b.rank);
    let last = -1;
    for (const { position, rank, text } of this.list) {
      const first = rank > 0 && last !== position;
      if (rank > 0) last = position;
      yield {
        position,
        text: first && text.startsWith('(') && this.guarded.has(position) ? `;${text}` : text,
      };
    }
  }

  apply(source: string): string {
    let code = '';
    let from = 0;
    for (const { position, text } of this.pieces()) {
      if (position > from) {
        code += source.slice(from, position);
        from = position;
      }
      code += text;
    }
    return code + source.slice(from);
  }
}
