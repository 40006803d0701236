import { FairQueue } from './fair-queue.ts';

const MAX_FAILURES = 2;

/** What waits to be written with others. */
interface Waiting<Entry, Answer> {
  readonly entry: Entry;
  readonly bytes: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions<Entry, Answer> {
  /** Whose it is: where more waits than a group takes, each owner's go in turn. */
  readonly ownerOf: (entry: Entry) => string;
  /** Writes a group; its answers stand in the entries' order. Rejects when nothing of the group may count as written. */
  readonly commit: (entries: readonly Entry[]) => Promise<readonly Answer[]>;
  /** Groups start at most this often; one that finds nothing before it starts at once. */
  readonly windowMs: number;
  /** A group takes no more once it has so many bytes, and does not wait then. */
  readonly maxGroupBytes: number;
  /** In a group that others wait for, too, so many are one owner's at most: nobody waits while much of somebody else's is written. */
  readonly maxSharedBytes: number;
}

/**
 * Lets many senders share one insert: while a group is written, and until the window since its start is over, further entries gather in
 * the next one. Groups are written one after the other, so that each sees what those before it stored.
 */
export class GroupCommit<Entry, Answer> {
  readonly #options: GroupCommitOptions<Entry, Answer>;
  readonly #waiting = new FairQueue<Waiting<Entry, Answer>>();
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #closing = false;

  constructor(options: GroupCommitOptions<Entry, Answer>) {
    this.#options = options;
  }

  /** Resolves once the entry's group is written. */
  submit(entry: Entry, bytes: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(this.#options.ownerOf(entry), { entry, bytes, resolve, reject });
      this.#waitingBytes += bytes;
      if (this.#waitingBytes >= this.#options.maxGroupBytes) this.#wake?.();
      this.#running ??= this.#run();
    });
  }

  /** Writes what waits, at once, and resolves when it is written. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.owners > 0) {
      const startedMs = performance.now();
      await this.#write(this.#takeGroup());
      await this.#rest(this.#options.windowMs - (performance.now() - startedMs));
    }
    this.#running = undefined;
  }

  #takeGroup(): Waiting<Entry, Answer>[] {
    const { maxGroupBytes, maxSharedBytes } = this.#options;
    const isShared = this.#waiting.owners > 1;
    const group: Waiting<Entry, Answer>[] = [];
    const bytesOf = new Map<string, number>();
    let bytes = 0;
    for (;;) {
      const next = this.#waiting.take((waiting, owner) => {
        const own = bytesOf.get(owner) ?? 0;
        if (bytes > 0 && bytes + waiting.bytes > maxGroupBytes) return false;
        if (isShared && own > 0 && own + waiting.bytes > maxSharedBytes) return false;
        bytesOf.set(owner, own + waiting.bytes);
        return true;
      });
      if (next === undefined) break;
      group.push(next);
      bytes += next.bytes;
    }
    this.#waitingBytes -= bytes;
    return group;
  }

  async #write(group: readonly Waiting<Entry, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.commit(group.map(({ entry }) => entry));
      for (const [index, waiting] of group.entries()) {
        const answer = answers[index];
        if (answer === undefined)
          waiting.reject(new Error('a group was written without an answer for each entry'));
        else waiting.resolve(answer);
      }
    } catch (error) {
      await this.#writeEach(group, error);
    }
  }

  /** After a group failed: one entry that the store refuses must not take the others with it. When a second one fails it is the store. */
  async #writeEach(group: readonly Waiting<Entry, Answer>[], groupError: unknown): Promise<void> {
    let lastError = groupError;
    let failures = group.length > 1 ? 0 : MAX_FAILURES;
    for (const { entry, resolve, reject } of group) {
      if (failures < MAX_FAILURES) {
        try {
          const [answer] = await this.#options.commit([entry]);
          if (answer === undefined) throw new Error('an entry was written without an answer');
          resolve(answer);
          continue;
        } catch (error) {
          lastError = error;
          failures += 1;
        }
      }
      reject(lastError);
    }
  }

  /** Until the window is over, or a group is full, or there is no time left. */
  async #rest(ms: number): Promise<void> {
    if (ms <= 0 || this.#closing || this.#waitingBytes >= this.#options.maxGroupBytes) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
