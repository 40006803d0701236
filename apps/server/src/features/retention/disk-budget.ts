import { statfs } from 'node:fs/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { Rollups } from '../rollups/index.ts';
import { countOutcomes, dropOld, findBytes, findHoursOf, findOld } from './store.ts';

const HOUR_MS = 3_600_000;
/** The banner stays so long after traces were last dropped. */
const BANNER_MS = 24 * HOUR_MS;
/** What is left of the budget after room was made: not at once again. */
const TARGET = 0.9;
/** So much of a disk is left to others, and to merges, which need room for what they write. */
const RESERVED_BYTES = 1024 ** 3;
const RESERVED_SHARE = 0.05;
/** Traces differ in size: the estimate of how many to drop is made anew so often. */
const ROUNDS = 5;

export interface DiskBudget {
  /** Drops the oldest successful traces while the store is beyond its budget, and errors only when none is left. */
  keep(): Promise<void>;
  /** Since when traces are dropped to make room; null where none was in the last 24 hours. */
  fullSince(): Date | null;
}

export function createDiskBudget(deps: {
  readonly traces: TraceStore;
  readonly rollups: Pick<Rollups, 'changing'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Undefined: as much as the disk has. */
  readonly maxBytes: number | undefined;
  /** Where the store is, on a disk of this machine; undefined where it is elsewhere. */
  readonly folder: string | undefined;
}): DiskBudget {
  const { traces, clock, log, maxBytes, folder } = deps;
  let since: Date | null = null;
  let lastDropAt: Date | null = null;

  const limit = async (used: number): Promise<number> => {
    const ofDisk = folder === undefined ? Number.POSITIVE_INFINITY : used + (await spareBytes(folder));
    return Math.min(maxBytes ?? Number.POSITIVE_INFINITY, ofDisk);
  };

  const drop = async (isError: boolean, count: number) => {
    const old = await findOld(traces, isError, count);
    if (old === undefined) return;
    const dropped = await deps.rollups.changing(await findHoursOf(traces, old));
    await dropOld(traces, old).finally(dropped);
  };

  return {
    async keep() {
      const before = await findBytes(traces);
      const allowed = await limit(before);
      if (before <= allowed) return;
      const now = clock.now();
      since ??= now;
      lastDropAt = now;
      log.warn(
        { bytes: before, allowed },
        'the disk budget is used up: the oldest successful traces are dropped',
      );
      let bytes = before;
      for (let round = 0; round < ROUNDS && bytes > allowed; round += 1) {
        const { successes, errors } = await countOutcomes(traces);
        const total = successes + errors;
        if (total === 0) return;
        const wanted = Math.ceil(((bytes - allowed * TARGET) / bytes) * total);
        if (successes > 0) await drop(false, Math.min(wanted, successes));
        else await drop(true, Math.min(wanted, errors));
        bytes = await findBytes(traces);
      }
    },
    fullSince() {
      if (lastDropAt !== null && clock.now().getTime() - lastDropAt.getTime() > BANNER_MS) {
        since = null;
        lastDropAt = null;
      }
      return since;
    },
  };
}

/** What the disk has beyond its reserve; negative where it has less. */
async function spareBytes(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize - Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE);
}
