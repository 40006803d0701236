import type { ServerResponse } from 'node:http';
import type { TraceFilters, TraceRow } from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller, VisibleProject } from '../../platform/http/guard.ts';
import type { SessionId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { matches } from './conditions.ts';

const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow viewer before rows are left out: some two thousand rows, since a group of traces comes at once. */
const MAX_WAITING_BYTES = 1024 * 1024;

export interface LiveFeedDeps {
  readonly log: Logger;
  readonly onSessionEnded: (id: SessionId, listener: () => void) => () => void;
}

export interface Viewing {
  readonly caller: Caller;
  readonly filters: Omit<TraceFilters, 'projectId'>;
  /** What the viewer may see now. @throws AppError when that is nothing any more */
  readonly visible: () => Promise<readonly VisibleProject[]>;
  readonly reply: FastifyReply;
}

/** New traces as server-sent events: `trace` with a list row, `gap` with how many were left out, and a comment as heartbeat. */
export interface LiveFeed {
  open(viewing: Viewing): Promise<void>;
  publish(rows: readonly TraceRow[]): void;
  /** Tells those who watch a project, or all, that so many new traces at least are not shown. */
  missed(projectId: string | undefined, count: number): void;
  /** Ends all streams, so that the server can stop. */
  close(): void;
}

export function createLiveFeed({ log, onSessionEnded }: LiveFeedDeps): LiveFeed {
  const viewers = new Set<Viewer>();
  let closed = false;
  return {
    async open({ caller, filters, visible, reply }) {
      if (closed) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 });
      const projects = new Set((await visible()).map(({ id }) => id as string));
      const stream = startStream(reply);
      const viewer = new Viewer(stream, filters, projects);
      viewers.add(viewer);
      const stopListening = onSessionEnded(caller.sessionId, () => viewer.end());
      const heartbeat = setInterval(() => {
        viewer.beat();
        visible().then(
          (now) => viewer.see(now),
          (error: unknown) => {
            // A project that is gone, or not the viewer's any more, ends the stream; what fails now is tried again at the next beat.
            if (error instanceof AppError) viewer.end();
            else log.warn({ err: error }, 'a live feed could not renew what it may show');
          },
        );
      }, HEARTBEAT_MS);
      stream.once('close', () => {
        clearInterval(heartbeat);
        stopListening();
        viewers.delete(viewer);
      });
    },
    publish(rows) {
      for (const viewer of viewers) for (const row of rows) viewer.show(row);
    },
    missed(projectId, count) {
      for (const viewer of viewers) viewer.miss(projectId, count);
    },
    close() {
      closed = true;
      for (const viewer of viewers) viewer.end();
    },
  };
}

/** Takes the answer over from Fastify, with the headers that are set so far. */
function startStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Reverse proxies would hold events back otherwise.
    'x-accel-buffering': 'no',
  });
  // Its arrival tells the reader that the stream is open.
  raw.write(': open\n\n');
  raw.on('error', () => raw.destroy());
  return raw;
}

/** One reader of the feed. */
class Viewer {
  readonly #stream: ServerResponse;
  readonly #filters: Viewing['filters'];
  #projects: ReadonlySet<string>;
  /** Rows left out since the reader fell behind. */
  #missed = 0;

  constructor(stream: ServerResponse, filters: Viewing['filters'], projects: ReadonlySet<string>) {
    this.#stream = stream;
    this.#filters = filters;
    this.#projects = projects;
    stream.on('drain', () => this.#tellGap());
  }

  see(projects: readonly VisibleProject[]): void {
    this.#projects = new Set(projects.map(({ id }) => id));
  }

  show(row: TraceRow): void {
    if (!this.#projects.has(row.projectId) || !matches(row, this.#filters)) return;
    if (this.#missed > 0 || this.#stream.writableLength > MAX_WAITING_BYTES) {
      this.#missed += 1;
      return;
    }
    this.#send(`event: trace\nid: ${row._id}\ndata: ${JSON.stringify(row)}\n\n`);
  }

  miss(projectId: string | undefined, count: number): void {
    if (projectId !== undefined && !this.#projects.has(projectId)) return;
    this.#missed += count;
    if (!this.#stream.writableNeedDrain) this.#tellGap();
  }

  beat(): void {
    if (!this.#stream.writableNeedDrain) this.#send(': heartbeat\n\n');
  }

  end(): void {
    this.#stream.end();
  }

  #tellGap(): void {
    if (this.#missed === 0) return;
    const missed = this.#missed;
    this.#missed = 0;
    this.#send(`event: gap\ndata: {"missed":${missed}}\n\n`);
  }

  #send(text: string): void {
    if (!this.#stream.writableEnded && !this.#stream.destroyed) this.#stream.write(text);
  }
}
