import type { ServerResponse } from 'node:http';
import type { TraceRow } from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller, VisibleProject } from '../../platform/http/guard.ts';
import type { SessionId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { asksStore, matches } from './conditions.ts';
import type { ListQuery } from './list-query.ts';

const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow viewer before rows are left out: some two thousand rows, since a group of traces comes at once. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Rows of which it is not known yet whether they are what a viewer asks for. */
const MAX_UNCHECKED = 5_000;
const CHECKED_AT_ONCE = 1_000;

export interface LiveFeedDeps {
  readonly log: Logger;
  /** Which of these stored traces, of these projects, are as it is asked. */
  readonly having: (
    ids: readonly string[],
    projects: readonly VisibleProject[],
    asked: Asked,
  ) => Promise<ReadonlySet<string>>;
  readonly onSessionEnded: (id: SessionId, listener: () => void) => () => void;
}

/** A row does not say what attributes its trace has, among others: the store is asked. */
type Asked = Pick<ListQuery, 'filters' | 'attributes'>;

export interface Viewing extends Asked {
  readonly caller: Caller;
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

export function createLiveFeed(deps: LiveFeedDeps): LiveFeed {
  const { log, onSessionEnded } = deps;
  const viewers = new Set<Viewer>();
  let closed = false;
  return {
    async open(viewing) {
      const { caller, visible, reply } = viewing;
      if (closed) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 });
      const projects = await visible();
      const stream = startStream(reply);
      const viewer = new Viewer(stream, viewing, projects, deps);
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
      for (const viewer of viewers) viewer.show(rows);
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
  readonly #viewing: Viewing;
  readonly #deps: LiveFeedDeps;
  #projects: ReadonlyMap<string, VisibleProject> = new Map();
  /** Rows left out since the reader fell behind. */
  #missed = 0;
  #unchecked: TraceRow[] = [];
  #isChecking = false;

  constructor(
    stream: ServerResponse,
    viewing: Viewing,
    projects: readonly VisibleProject[],
    deps: LiveFeedDeps,
  ) {
    this.#stream = stream;
    this.#viewing = viewing;
    this.#deps = deps;
    this.see(projects);
    stream.on('drain', () => this.#tellGap());
  }

  see(projects: readonly VisibleProject[]): void {
    this.#projects = new Map(projects.map((project) => [project.id, project]));
  }

  show(rows: readonly TraceRow[]): void {
    const { filters, attributes } = this.#viewing;
    const passing = rows.filter((row) => this.#projects.has(row.projectId) && matches(row, filters));
    if (passing.length === 0) return;
    if (attributes.length === 0 && !asksStore(filters)) for (const row of passing) this.#showOne(row);
    else if (this.#unchecked.length + passing.length > MAX_UNCHECKED) this.miss(undefined, passing.length);
    else {
      this.#unchecked.push(...passing);
      if (!this.#isChecking) void this.#check();
    }
  }

  #showOne(row: TraceRow): void {
    if (this.#missed > 0 || this.#stream.writableLength > MAX_WAITING_BYTES) {
      this.#missed += 1;
      return;
    }
    this.#send(`event: trace\nid: ${row._id}\ndata: ${JSON.stringify(row)}\n\n`);
  }

  /** Shows what the store says is asked for, in the order in which it came; never rejects. */
  async #check(): Promise<void> {
    this.#isChecking = true;
    while (this.#unchecked.length > 0 && !this.#stream.destroyed) {
      const rows = this.#unchecked.splice(0, CHECKED_AT_ONCE);
      const projects = [...new Set(rows.map(({ projectId }) => projectId))].flatMap(
        (id) => this.#projects.get(id) ?? [],
      );
      try {
        const having = await this.#deps.having(
          rows.map(({ _id }) => _id),
          projects,
          this.#viewing,
        );
        for (const row of rows) if (having.has(row._id)) this.#showOne(row);
      } catch (err) {
        this.#deps.log.warn({ err }, 'a live feed could not ask the store about new traces');
        this.miss(undefined, rows.length);
      }
    }
    this.#isChecking = false;
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
