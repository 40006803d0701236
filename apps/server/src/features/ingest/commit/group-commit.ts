import { OwnersAtWork } from '../receive/owners-at-work.ts';
import { CommitLane, type Waiting } from './commit-lane.ts';

export interface GroupCommitOptions<Entry, Answer> {
  /** Returns an entry's owner. If more entries are waiting than fit into a group, owners take turns. */
  readonly ownerOf: (entry: Entry) => string;
  /** Writes a group and returns results in the order of its entries. Rejects if no entry of the group can be assumed written. */
  readonly commit: (entries: readonly Entry[]) => Promise<readonly Answer[]>;
  /** The minimum time between the starts of two groups. The first group after a pause starts immediately. */
  readonly windowMs: number;
  /** The maximum size of a group. A full group does not wait for the end of the window. */
  readonly maxGroupBytes: number;
  /**
   * The maximum bytes of one owner in a group while other owners wait, so that nobody waits for another owner's large write.
   * An entry above this size is written in a separate lane.
   */
  readonly maxSharedBytes: number;
}

/**
 * Lets many senders share one insert. While a group is being written, and until its window is over, further entries are collected for the
 * next group. Groups are written one after the other, large entries in a second lane. An owner's entries are never written in both lanes at
 * the same time, so that each group sees its owners' earlier writes.
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

  /** Writes the waiting entries immediately; resolves when they are written. */
  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}
