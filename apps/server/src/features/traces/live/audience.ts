import type { TraceRow } from '@throughline/contract';
import type { VisibleProject } from '../../../platform/http/guard.ts';
import type { Logger } from '../../../platform/log.ts';
import { asksStore, buildRowFilter } from '../list/conditions.ts';
import type { ListQuery } from '../list/list-query.ts';
import { estimateBytes, type RowEvents } from './row-events.ts';
import type { Chunk, Viewer } from './viewer.ts';

/** Maximum estimated size of queued rows, per audience and in total. */
const MAX_QUEUED_BYTES = 2 * 1024 * 1024;
const MAX_QUEUED_BYTES_OF_ALL = 64 * 1024 * 1024;
/** Number of bytes taken from the queue per turn, about as much as one write sends. */
const TURN_BYTES = 64 * 1024;
/** Like `TURN_BYTES`, for audiences whose filters query the store. The number is higher, because each turn costs a query. */
const TURN_BYTES_OF_STORE = 512 * 1024;
const MAX_TURN_ROWS = 1_000;

/** Filters of an audience's viewers. */
export type Asked = Pick<ListQuery, 'filters' | 'attributes'>;

/** State that all audiences of a feed share. */
export interface AudienceShare {
  readonly events: RowEvents;
  queuedBytes: number;
}

export interface AudienceDeps {
  readonly log: Logger;
  /** Returns the ids, among `ids`, of traces that match the filters. */
  readonly having: (
    ids: readonly string[],
    projects: readonly VisibleProject[],
    asked: Asked,
  ) => Promise<ReadonlySet<string>>;
}

/** Viewers with the same visible projects and the same filters, who therefore receive the same events. */
export class Audience {
  readonly viewers = new Set<Viewer>();
  /** True if the filters need a query, because a row lacks the fields, such as attributes. */
  readonly asksStore: boolean;
  readonly #asked: Asked;
  readonly #deps: AudienceDeps;
  readonly #share: AudienceShare;
  readonly #passes: (row: TraceRow) => boolean;
  #projects: ReadonlyMap<string, VisibleProject> = new Map();
  #queue: TraceRow[] = [];
  #queuedBytes = 0;

  constructor(asked: Asked, share: AudienceShare, deps: AudienceDeps) {
    this.#asked = asked;
    this.#share = share;
    this.#deps = deps;
    this.#passes = buildRowFilter(asked.filters);
    this.asksStore = asked.attributes.length > 0 || asksStore(asked.filters);
  }

  get projectIds(): Iterable<string> {
    return this.#projects.keys();
  }

  /** Updates each project's `shownSince`. Traces that started earlier are not shown. */
  renew(projects: readonly VisibleProject[]): void {
    this.#projects = new Map(projects.map((project) => [project.id, project]));
  }

  /** Queues rows of the audience's projects for the next turn. */
  queue(rows: readonly TraceRow[]): void {
    let missed = 0;
    for (const row of rows) {
      if (this.#isFull()) missed += 1;
      else {
        this.#queue.push(row);
        this.#countQueued(estimateBytes(row));
      }
    }
    if (missed > 0) this.miss(missed);
  }

  miss(count: number): void {
    for (const viewer of this.viewers) viewer.miss(count);
  }

  /** Sends the next queued rows. Returns true if more rows are queued. Never rejects. */
  takeTurn(): boolean | Promise<boolean> {
    const rows = this.#take();
    if (rows.length === 0) return false;
    const passing = rows.filter(this.#passes);
    if (this.asksStore) return this.#askStore(passing).then(() => this.#queue.length > 0);
    this.#show(passing);
    return this.#queue.length > 0;
  }

  /** Empties the queue after the last viewer left. */
  close(): void {
    this.#queue = [];
    this.#countQueued(-this.#queuedBytes);
  }

  #isFull(): boolean {
    return this.#queuedBytes >= MAX_QUEUED_BYTES || this.#share.queuedBytes >= MAX_QUEUED_BYTES_OF_ALL;
  }

  #countQueued(bytes: number): void {
    this.#queuedBytes += bytes;
    this.#share.queuedBytes += bytes;
  }

  #take(): TraceRow[] {
    const most = this.asksStore ? TURN_BYTES_OF_STORE : TURN_BYTES;
    let bytes = 0;
    let rows = 0;
    for (const row of this.#queue) {
      if (rows > 0 && (bytes >= most || rows >= MAX_TURN_ROWS)) break;
      bytes += estimateBytes(row);
      rows += 1;
    }
    this.#countQueued(-bytes);
    return this.#queue.splice(0, rows);
  }

  async #askStore(rows: readonly TraceRow[]): Promise<void> {
    if (rows.length === 0) return;
    const projects = [...new Set(rows.map(({ projectId }) => projectId))].flatMap(
      (id) => this.#projects.get(id) ?? [],
    );
    const ids = rows.map(({ _id }) => _id);
    try {
      const having = await this.#deps.having(ids, projects, this.#asked);
      this.#show(rows.filter(({ _id }) => having.has(_id)));
    } catch (err) {
      this.#deps.log.warn({ err }, 'a live feed could not query the trace store for new traces');
      this.miss(rows.length);
    }
  }

  #show(rows: readonly TraceRow[]): void {
    for (const chunk of splitEvents(rows.map((row) => this.#share.events.of(row)))) {
      for (const viewer of this.viewers) viewer.show(chunk);
    }
  }
}

function* splitEvents(events: readonly Buffer[]): Generator<Chunk> {
  let some: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    if (bytes > 0 && bytes + event.length > TURN_BYTES) {
      yield { bytes: Buffer.concat(some), rows: some.length };
      some = [];
      bytes = 0;
    }
    some.push(event);
    bytes += event.length;
  }
  if (some.length > 0) yield { bytes: Buffer.concat(some), rows: some.length };
}
