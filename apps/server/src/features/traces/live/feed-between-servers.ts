import { TraceRow } from '@throughline/contract';
import { z } from 'zod';
import type { ControlStore } from '../../../platform/control-store/index.ts';
import type { Logger } from '../../../platform/log.ts';
import { createToken } from '../../../platform/start/secrets.ts';
import type { LiveFeed } from './live-feed.ts';
import { estimateBytes } from './row-events.ts';

const CHANNEL = 'traces_stored';
/** PostgreSQL accepts payloads of less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
/** Maximum estimated size of rows waiting to be announced. Rows above this limit are only counted. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

const Announcement = z.object({
  from: z.string(),
  rows: z.array(TraceRow),
  /** Numbers of stored traces whose rows are not sent, by project id. */
  missed: z.record(z.string(), z.number()),
});
type Announcement = z.output<typeof Announcement>;

/** Shows viewers on one server the traces that another server stored. */
export interface SharedFeed {
  /**
   * Announces rows to the other servers. Never waits: if the control store is slow, a limited number of rows is queued, and further rows
   * are only counted.
   */
  announce(rows: readonly TraceRow[]): void;
  /** Announces that `count` traces were stored, but does not send their rows. */
  missed(projectId: string, count: number): void;
  /** Resolves when every announcement was sent or has failed. */
  settled(): Promise<void>;
}

/** Shares the feed through the control store, which all servers of an installation use. */
export async function shareFeed(deps: {
  readonly control: Pick<ControlStore, 'notify' | 'listen'>;
  readonly log: Logger;
  readonly feed: Pick<LiveFeed, 'publish' | 'missed'>;
}): Promise<SharedFeed> {
  const { control, log, feed } = deps;
  const self = createToken();
  const waiting: TraceRow[] = [];
  let waitingBytes = 0;
  const missed = new Map<string, number>();
  let announcing: Promise<void> = Promise.resolve();
  let isAnnouncing = false;

  const miss = (projectId: string, count: number) =>
    missed.set(projectId, (missed.get(projectId) ?? 0) + count);
  const sendAnnouncements = async () => {
    isAnnouncing = true;
    while (waiting.length > 0 || missed.size > 0) {
      const { payload, announcement, tooLarge } = nextPayload(self, waiting, missed);
      for (const row of [...announcement.rows, ...tooLarge]) waitingBytes -= estimateBytes(row);
      for (const row of tooLarge) miss(row.projectId, 1);
      try {
        await control.notify(CHANNEL, payload);
      } catch (err) {
        // The next announcement includes the number of omitted rows, but not the rows. Until then, this server does not retry an
        // unreachable store.
        log.warn(
          { err, rows: announcement.rows.length },
          'other servers could not be notified of new traces',
        );
        for (const row of announcement.rows) miss(row.projectId, 1);
        for (const [projectId, count] of Object.entries(announcement.missed)) miss(projectId, count);
        break;
      }
    }
    // `isAnnouncing` must be reset in the same tick in which the queue became empty, so that the next announcement starts a new loop.
    isAnnouncing = false;
  };

  let listening = false;
  await control.listen(
    CHANNEL,
    (payload) => {
      const announcement = readAnnouncement(payload);
      if (announcement === undefined || announcement.from === self) return;
      feed.publish(announcement.rows);
      for (const [projectId, count] of Object.entries(announcement.missed)) feed.missed(projectId, count);
    },
    () => {
      // Announcements can have been missed while the connection was lost.
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
      if (!isAnnouncing) announcing = sendAnnouncements();
    },
    missed(projectId, count) {
      miss(projectId, count);
      if (!isAnnouncing) announcing = sendAnnouncements();
    },
    settled: () => announcing,
  };
}

interface NextPayload {
  readonly payload: string;
  /** Content of the payload. */
  readonly announcement: Announcement;
  /** Rows too large for any payload. */
  readonly tooLarge: readonly TraceRow[];
}

/** Removes as many waiting rows as fit into one payload. */
function nextPayload(from: string, waiting: TraceRow[], missed: Map<string, number>): NextPayload {
  // Limits the number of projects per payload, because their ids also take bytes.
  const counts = Object.fromEntries([...missed].slice(0, 50));
  for (const projectId of Object.keys(counts)) missed.delete(projectId);
  const rows: TraceRow[] = [];
  const tooLarge: TraceRow[] = [];
  const announcement: Announcement = { from, rows, missed: counts };
  let bytes = Buffer.byteLength(JSON.stringify(announcement));
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
  return { payload: JSON.stringify(announcement), announcement, tooLarge };
}

/** Returns undefined if a server of another version sent the message in another format. */
function readAnnouncement(payload: string): Announcement | undefined {
  try {
    return Announcement.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
