import type { GroupCommitOptions } from './commit-lane.ts';
import { CommitLane, type Waiting } from './commit-lane.ts';
import { OwnersAtWork } from './owners-at-work.ts';

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
