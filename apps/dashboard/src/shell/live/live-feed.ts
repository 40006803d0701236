import { ApiError, type Client, routes, type TraceFilters, TraceRow } from '@throughline/contract';
import { EventStreamReader } from './event-stream.ts';

/**
 * The state of the feed. `full`: the server, the account or the session already has its maximum number of feeds, so the page tries again
 * later. `off`: the server refused the feed for a reason that a retry would not change.
 */
export type FeedState = 'connecting' | 'live' | 'reconnecting' | 'full' | 'off';

export interface FeedListener {
  readonly onTrace: (row: TraceRow) => void;
  /** Called if traces may have been missed, so that the list must be fetched again. */
  readonly onGap: () => void;
  readonly onState: (state: FeedState) => void;
}

export interface FeedTimes {
  /** The wait before the first retry; doubled for each further retry, up to `longestWaitMs`. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A feed without any data for this long (not even a heartbeat, sent every 15 s) counts as dead. */
  readonly silenceMs: number;
}

const TIMES: FeedTimes = { firstWaitMs: 500, longestWaitMs: 30_000, silenceMs: 40_000 };

/**
 * Follows new traces until the returned function is called. Reconnects automatically when the connection is lost,
 * with a longer wait each time, and immediately when the browser is back online.
 */
export function openLiveFeed(
  client: Client,
  filters: TraceFilters,
  listener: FeedListener,
  times: FeedTimes = TIMES,
): () => void {
  const closing = new AbortController();
  void follow(client, filters, listener, times, closing.signal);
  return () => closing.abort();
}

async function follow(
  client: Client,
  filters: TraceFilters,
  listener: FeedListener,
  times: FeedTimes,
  closed: AbortSignal,
): Promise<void> {
  let failures = 0;
  let wasLive = false;
  listener.onState('connecting');
  while (!closed.aborted) {
    const outcome = await readOnce(client, filters, times.silenceMs, closed, {
      onTrace: listener.onTrace,
      onGap: listener.onGap,
      onOpen() {
        listener.onState('live');
        // The server sent no events for the traces that were stored while this feed was disconnected.
        if (wasLive || failures > 0) listener.onGap();
        failures = 0;
        wasLive = true;
      },
    });
    if (closed.aborted) return;
    if (outcome.kind === 'refused') {
      listener.onState('off');
      return;
    }
    listener.onState(outcome.kind === 'full' ? 'full' : 'reconnecting');
    // Fetches the list at each retry, so that the list stays recent while the server accepts no further feed.
    if (outcome.kind === 'full') listener.onGap();
    const longest = Math.min(times.longestWaitMs, times.firstWaitMs * 2 ** failures);
    failures += 1;
    // The retries of all browsers are spread randomly over half the wait, so that a server that restarts does not receive all reconnections
    // simultaneously.
    await wait(outcome.waitMs + longest * (0.5 + Math.random() / 2), closed);
  }
}

/** The end of a connection: its reason, and the wait (`waitMs`) that the server requested before the next connection. */
type Outcome = { readonly kind: 'lost' | 'full'; readonly waitMs: number } | { readonly kind: 'refused' };

const LOST: Outcome = { kind: 'lost', waitMs: 0 };

interface ConnectionListener {
  readonly onOpen: () => void;
  readonly onTrace: (row: TraceRow) => void;
  readonly onGap: () => void;
}

/** Reads a connection to its end; never rejects. */
async function readOnce(
  client: Client,
  filters: TraceFilters,
  silenceMs: number,
  closed: AbortSignal,
  listener: ConnectionListener,
): Promise<Outcome> {
  const ending = new AbortController();
  const end = () => ending.abort();
  closed.addEventListener('abort', end, { once: true });
  let watchdog = setTimeout(end, silenceMs);
  try {
    const answer = await client.open(routes.traces.stream, { query: filters, signal: ending.signal });
    if (answer.body === null) return LOST;
    listener.onOpen();
    const events = new EventStreamReader();
    const decoder = new TextDecoder();
    const chunks = answer.body.getReader();
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return LOST;
      clearTimeout(watchdog);
      watchdog = setTimeout(end, silenceMs);
      for (const event of events.push(decoder.decode(value, { stream: true }))) {
        if (closed.aborted) return LOST;
        if (event.type === 'gap') listener.onGap();
        else if (event.type === 'trace') deliver(event.data, listener);
      }
    }
  } catch (error) {
    return toOutcome(error);
  } finally {
    clearTimeout(watchdog);
    closed.removeEventListener('abort', end);
    ending.abort();
  }
}

/** Delivers a row. If this page cannot parse the row (for example from a newer server), the list must be fetched again. */
function deliver(data: string, listener: ConnectionListener): void {
  let row: unknown;
  try {
    row = JSON.parse(data);
  } catch {
    row = undefined;
  }
  const read = TraceRow.safeParse(row);
  if (read.success) listener.onTrace(read.data);
  else listener.onGap();
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return LOST;
  const waitMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (error.code === 'too_many_feeds' || error.code === 'overloaded') return { kind: 'full', waitMs };
  const refused = error.status >= 400 && error.status < 500 && error.status !== 429;
  return refused ? { kind: 'refused' } : { kind: 'lost', waitMs };
}

/** Waits; ends early when the feed is closed or the browser comes back online. */
function wait(ms: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      closed.removeEventListener('abort', done);
      globalThis.removeEventListener?.('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    closed.addEventListener('abort', done, { once: true });
    globalThis.addEventListener?.('online', done, { once: true });
    if (closed.aborted) done();
  });
}
