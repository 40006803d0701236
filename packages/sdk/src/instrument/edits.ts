/**
 * Text put into a source, never removing any. Where several pieces meet at one position, what closes an inner node comes before what closes
 * an outer one, then what opens an outer node before what opens an inner one: so they nest as the nodes do, in whatever order they are added.
 */
export class Edits {
  private readonly texts: string[] = [];
  /** Position and rank of each text in one number, which is quick to compare. */
  private readonly keys: number[] = [];
  /** Where an expression statement begins in a list of statements: a parenthesis put there must not call what is before it. */
  private readonly guarded: ReadonlySet<number>;

  constructor(guarded: readonly number[]) {
    this.guarded = new Set(guarded);
  }

  /** `depth` is the node's in the tree, in halves; the deeper, the further inside. */
  open(position: number, depth: number, text: string): void {
    this.add(position, depth + 1, text);
  }

  close(position: number, depth: number, text: string): void {
    this.add(position, -depth - 1, text);
  }

  private add(position: number, rank: number, text: string): void {
    this.keys.push(position * ranks + middle + 2 * rank);
    this.texts.push(text);
  }

  get empty(): boolean {
    return this.texts.length === 0;
  }

  /** Calls `take` with the pieces in order, each where it goes. */
  eachPiece(take: (position: number, text: string) => void): void {
    const { keys, texts, guarded } = this;
    const order = keys.map((_, index) => index).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
    let last = -1;
    for (const index of order) {
      const key = keys[index] ?? 0;
      const text = texts[index] ?? '';
      const position = Math.floor(key / ranks);
      const opens = key % ranks > middle;
      const first = opens && last !== position;
      if (opens) last = position;
      take(position, first && text.startsWith('(') && guarded.has(position) ? `;${text}` : text);
    }
  }

  apply(source: string): string {
    let code = '';
    let from = 0;
    this.eachPiece((position, text) => {
      if (position > from) {
        code += source.slice(from, position);
        from = position;
      }
      code += text;
    });
    return code + source.slice(from);
  }
}

/** More than twice as many as a tree is deep: the walk of a deeper one would exhaust the stack. */
const ranks = 2 ** 20;
const middle = 2 ** 19;
