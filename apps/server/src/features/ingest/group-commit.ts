import { CommitLane, type Waiting } from './commit-lane.ts';
import { OwnersAtWork } from './owners-at-work.ts';

export interface GroupCommitOptions<Entry, Answer> {
  /** Whose it is: where more waits than a group takes, each owner's go in turn. */
  readonly ownerOf: (entry: Entry) => string;
  /** Writes a group; its answers stand in the entries' order. Rejects when nothing of the group may count as written. */
  readonly commit: (entries: readonly Entry[]) => Promise<readonly Answer[]>;
  /** Groups start at most this often; one that finds nothing before it starts at once. */
  readonly windowMs: number;
  /** A group takes no more once it has so many bytes, and does not wait then. */
  readonly maxGroupBytes: number;
  /**
   * In a group that others wait for, too, so many are one owner's at most: nobody waits while much of somebody else's is written. A larger entry
   * is written beside those groups.
   */
  readonly maxSharedBytes: number;
}

/**
 * Lets many senders share one insert: while a group is written, and until the window since its start is over, further entries gather in
 * the next one. Groups are written one after the other, and large entries one after the other beside them. What is one owner's is never written in
 * both ways at once, so that each group sees what those before it stored of its owners.
 */
export class GroupCommit<Entry, Answer> {
  readonly #options: GroupCommitOptions<Entry, Answer>;
  readonly #small: CommitLane<Entry, Answer>;
  readonly #large: CommitLane<Entry, Answer>;

  constructor(options: GroupCommitOptions<Entry, Answer>) {
    this.#options = options;
    const owners = new OwnersAtWork();
    this.#small = new CommitLane(options, owners);
    this.#large = new CommitLane(options, owners);
  }

  /** Resolves once the entry's group is written. */
  submit(entry: Entry, bytes: number): Promise<Answer> {
    const lane = bytes > this.#options.maxSharedBytes ? this.#large : this.#small;
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Entry, Answer> = { entry, bytes, resolve, reject };
      lane.add(waiting);
    });
  }

  /** Writes what waits, at once, and resolves when it is written. */
  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}
