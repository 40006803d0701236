import { TraceRow } from '@throughline/contract';
import { z } from 'zod';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { Logger } from '../../platform/log.ts';
import { newToken } from '../../platform/secrets.ts';
import type { LiveFeed } from './live-feed.ts';

const CHANNEL = 'traces_stored';
/** PostgreSQL takes payloads of less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
/** Rows that may wait to be told; what comes beyond is told as a number. */
const MAX_WAITING_ROWS = 5_000;

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
  const missed = new Map<string, number>();
  let telling: Promise<void> | undefined;

  const miss = (projectId: string, count: number) =>
    missed.set(projectId, (missed.get(projectId) ?? 0) + count);
  const tell = async () => {
    while (waiting.length > 0 || missed.size > 0) {
      const { payload, rows, tooLarge } = nextPayload(self, waiting, missed);
      for (const row of tooLarge) miss(row.projectId, 1);
      try {
        await control.notify(CHANNEL, payload);
      } catch (err) {
        // They will not be told twice: who watches elsewhere asks for the list now and then.
        log.warn({ err, rows: rows.length }, 'other servers were not told of new traces');
      }
    }
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
        if (waiting.length < MAX_WAITING_ROWS) waiting.push(row);
        else miss(row.projectId, 1);
      }
      telling ??= tell().finally(() => {
        telling = undefined;
      });
    },
    async settled() {
      await telling;
    },
  };
}

interface NextPayload {
  readonly payload: string;
  readonly rows: readonly TraceRow[];
  /** Rows that no payload holds. */
  readonly tooLarge: readonly TraceRow[];
}

/** Takes from what waits as much as fits. */
function nextPayload(from: string, waiting: TraceRow[], missed: Map<string, number>): NextPayload {
  // Some projects at a time: their ids take room too.
  const told = Object.fromEntries([...missed].slice(0, 50));
  for (const projectId of Object.keys(told)) missed.delete(projectId);
  const rows: TraceRow[] = [];
  const tooLarge: TraceRow[] = [];
  let bytes = Buffer.byteLength(JSON.stringify({ from, rows, missed: told }));
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
  return { payload: JSON.stringify({ from, rows, missed: told } satisfies Told), rows, tooLarge };
}

/** Undefined for what a server of another version told in words of its own. */
function readTold(payload: string): Told | undefined {
  try {
    return Told.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
