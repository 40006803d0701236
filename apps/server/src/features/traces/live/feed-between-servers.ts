import { TraceRow } from '@throughline/contract';
import { z } from 'zod';
import type { ControlStore } from '../../../platform/control-store/index.ts';
import type { Logger } from '../../../platform/log.ts';
import { newToken } from '../../../platform/secrets.ts';
import type { LiveFeed } from './live-feed.ts';
import { estimateBytes } from './row-events.ts';

const CHANNEL = 'traces_stored';
/** PostgreSQL takes payloads of less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
/** Bytes of rows that may wait to be told, about; what comes beyond is told as a number. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

const Told = z.object({
  from: z.string(),
  rows: z.array(TraceRow),
  /** Rows that are not told, by project. */
  missed: z.record(z.string(), z.number()),
});
type Told = z.output<typeof Told>;

/** Lets those who watch on one server see what was stored by another. */
export interface SharedFeed {
  /** Never waits: a control store that is slow makes gaps, not queues. */
  announce(rows: readonly TraceRow[]): void;
  /** Tells of traces whose rows are not announced. */
  missed(projectId: string, count: number): void;
  /** Resolves when all that was announced is told, or cannot be. */
  settled(): Promise<void>;
}

/** Announces over the control store, which all servers of one product share. */
export async function shareFeed(deps: {
  readonly control: Pick<ControlStore, 'notify' | 'listen'>;
  readonly log: Logger;
  readonly feed: Pick<LiveFeed, 'publish' | 'missed'>;
}): Promise<SharedFeed> {
  const { control, log, feed } = deps;
  const self = newToken();
  const waiting: TraceRow[] = [];
  let waitingBytes = 0;
  const missed = new Map<string, number>();
  let telling: Promise<void> = Promise.resolve();
  let isTelling = false;

  const miss = (projectId: string, count: number) =>
    missed.set(projectId, (missed.get(projectId) ?? 0) + count);
  const tell = async () => {
    isTelling = true;
    while (waiting.length > 0 || missed.size > 0) {
      const { payload, told, tooLarge } = nextPayload(self, waiting, missed);
      for (const row of [...told.rows, ...tooLarge]) waitingBytes -= estimateBytes(row);
      for (const row of tooLarge) miss(row.projectId, 1);
      try {
        await control.notify(CHANNEL, payload);
      } catch (err) {
        // With the next traces that there were others is told; until then a store that is gone is left in peace.
        log.warn({ err, rows: told.rows.length }, 'other servers were not told of new traces');
        for (const row of told.rows) miss(row.projectId, 1);
        for (const [projectId, count] of Object.entries(told.missed)) miss(projectId, count);
        break;
      }
    }
    // In the same moment in which nothing was left: what is announced next begins anew.
    isTelling = false;
  };

  let listening = false;
  await control.listen(
    CHANNEL,
    (payload) => {
      const told = readTold(payload);
      if (told === undefined || told.from === self) return;
      feed.publish(told.rows);
      for (const [projectId, count] of Object.entries(told.missed)) feed.missed(projectId, count);
    },
    () => {
      // After a lost connection: nobody knows what was told meanwhile.
      if (listening) feed.missed(undefined, 1);
      listening = true;
    },
  );

  return {
    announce(rows) {
      for (const row of rows) {
        if (waitingBytes < MAX_WAITING_BYTES) {
          waiting.push(row);
          waitingBytes += estimateBytes(row);
        } else miss(row.projectId, 1);
      }
      if (!isTelling) telling = tell();
    },
    missed(projectId, count) {
      miss(projectId, count);
      if (!isTelling) telling = tell();
    },
    settled: () => telling,
  };
}

interface NextPayload {
  readonly payload: string;
  /** What it says. */
  readonly told: Told;
  /** Rows that no payload holds. */
  readonly tooLarge: readonly TraceRow[];
}

/** Takes from what waits as much as fits. */
function nextPayload(from: string, waiting: TraceRow[], missed: Map<string, number>): NextPayload {
  // Some projects at a time: their ids take room too.
  const counts = Object.fromEntries([...missed].slice(0, 50));
  for (const projectId of Object.keys(counts)) missed.delete(projectId);
  const rows: TraceRow[] = [];
  const tooLarge: TraceRow[] = [];
  const told: Told = { from, rows, missed: counts };
  let bytes = Buffer.byteLength(JSON.stringify(told));
  for (let row = waiting[0]; row !== undefined; row = waiting[0]) {
    const size = Buffer.byteLength(JSON.stringify(row)) + 1;
    if (bytes + size > MAX_PAYLOAD_BYTES && rows.length > 0) break;
    waiting.shift();
    if (bytes + size > MAX_PAYLOAD_BYTES) tooLarge.push(row);
    else {
      rows.push(row);
      bytes += size;
    }
  }
  return { payload: JSON.stringify(told), told, tooLarge };
}

/** Undefined for what a server of another version told in words of its own. */
function readTold(payload: string): Told | undefined {
  try {
    return Told.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
