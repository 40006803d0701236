import { v7 } from 'uuid';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { DiskSpace } from '../../platform/disks/disk.ts';
import type { Logger } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { Rollups } from '../rollups/index.ts';
import { type EvictionDecision, planEviction, type TraceKind } from './disk-budget-policy.ts';
import {
  countKinds,
  dropOld,
  findBytes,
  findDrops,
  findHours,
  findOld,
  holdBudget,
  recordDrop,
  releaseBudget,
} from './disk-budget-store.ts';

const MINUTE_MS = 60_000;
/** How long the dashboard shows its banner after the last eviction. */
const BANNER_MS = 24 * 60 * MINUTE_MS;
/** Only one server evicts at a time. If that server crashes, another server can take over after this time. */
const HELD_MS = 15 * MINUTE_MS;
/** Maximum number of eviction rounds. Traces differ in size, so each round estimates again how many to evict. */
const ROUNDS = 8;

export interface DiskBudget {
  /**
   * While the store exceeds a configured budget, evicts the oldest quick traces, then slow traces, and failed traces last. If only the
   * disk's reserve is used up, evicts no failed traces.
   */
  keep(): Promise<void>;
  /** Returns the time since which traces have been evicted by any server; null if none were evicted in the last 24 hours. */
  fullSince(): Promise<Date | null>;
}

export function createDiskBudget(deps: {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  readonly rollups: Pick<Rollups, 'changing'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Undefined allows the whole disk. On a cluster, the limit applies to all nodes together. */
  readonly maxBytes: number | undefined;
  /** Reads the free space on the store's disk; undefined if the disk is on another machine. */
  readonly space: (() => Promise<DiskSpace>) | undefined;
}): DiskBudget {
  const { traces, clock, log, maxBytes, space } = deps;
  const { db } = deps.control;
  const server = v7();
  let helpless = false;

  const measure = async (): Promise<EvictionDecision & { readonly usedBytes: number }> => {
    const usedBytes = await findBytes(traces);
    return { ...planEviction(usedBytes, await space?.(), maxBytes), usedBytes };
  };

  const hold = async () => {
    const now = clock.now();
    return holdBudget(db, server, { now, until: new Date(now.getTime() + HELD_MS) });
  };

  /** Logs once that evictions cannot free enough space. Logs it again only if there was enough space in between. */
  const sayHelpless = (figures: Readonly<Record<string, number>>) => {
    if (helpless) return;
    helpless = true;
    log.warn(
      figures,
      'the disk of DATA_DIR is nearly full, but deleting successful traces would not free enough space, so none is deleted. Free space on the disk, or set MAX_DISK_GB',
    );
  };

  const drop = async (kind: TraceKind, count: number) => {
    const old = await findOld(traces, kind, count);
    if (old === undefined) return;
    const dropped = await deps.rollups.changing(await findHours(traces, old));
    await dropOld(traces, old).finally(dropped);
  };

  const makeRoom = async (room: Extract<EvictionDecision, { kind: 'drop' }>, usedBytes: number) => {
    const { allowedBytes, targetBytes } = room;
    const deleted = room.kinds.includes('failed')
      ? 'the oldest traces are being deleted, failed ones last'
      : 'the oldest successful traces are being deleted';
    log.warn({ bytes: usedBytes, allowed: allowedBytes }, `the disk budget is used up: ${deleted}`);
    let bytes = usedBytes;
    for (let round = 0; round < ROUNDS && bytes > allowedBytes; round += 1) {
      const counts = await countKinds(traces);
      const kind = room.kinds.find((each) => counts[each] > 0);
      if (kind === undefined) {
        // With a configured budget, `room.kinds` contains `failed`, so all traces were evicted by now. Only rollups are left, which needs
        // no warning.
        if (!room.kinds.includes('failed')) sayHelpless({ missing: bytes - allowedBytes, bytes });
        return;
      }
      await recordDrop(db, clock.now(), BANNER_MS);
      const total = counts.quick + counts.slow + counts.failed;
      const wanted = Math.ceil(((bytes - targetBytes) / bytes) * total);
      await drop(kind, Math.min(wanted, counts[kind]));
      if (!(await hold())) return;
      bytes = await findBytes(traces);
    }
  };

  return {
    async keep() {
      const seen = await measure();
      if (seen.kind === 'helpless') sayHelpless({ missing: seen.missingBytes, bytes: seen.usedBytes });
      else if (seen.kind === 'enough') helpless = false;
      if (seen.kind !== 'drop' || !(await hold())) return;
      try {
        // Another server can have freed space in the meantime.
        const room = await measure();
        if (room.kind === 'drop') await makeRoom(room, room.usedBytes);
      } finally {
        await releaseBudget(db, server);
      }
    },
    async fullSince() {
      const drops = await findDrops(db);
      if (drops === undefined || clock.now().getTime() - drops.lastDropAt.getTime() > BANNER_MS) return null;
      return drops.since;
    },
  };
}
