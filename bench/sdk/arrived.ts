import type { Received } from '@throughline/testkit/collector';
import { countDatadog } from '../peers/datadog-count.ts';
import { countSpans } from '../peers/otlp-count.ts';

/** The data that a tracer delivered. */
export interface Arrived {
  /** Number of requests. A request is a trace of this SDK, or an entry span, segment or transaction of another tracer. */
  readonly requests: number;
  /** Number of steps in the requests. For other tracers, the number of spans of any kind. */
  readonly steps: number;
  /** Number of steps with values. */
  readonly withValues: number;
}

/** Counts the contents of one request in the format of the tracer that sent the request. */
export function countPost(post: Received): Arrived {
  if (post.isTraces) return countOurs(post);
  if (post.path === '/v1/traces') {
    const { entry, all } = countSpans(post.bytes);
    return { requests: entry, steps: all, withValues: 0 };
  }
  if (post.path === '/v0.4/traces') {
    const { requests, spans } = countDatadog(post.bytes);
    return { requests, steps: spans, withValues: 0 };
  }
  if (post.path.includes('/envelope/')) return countLines(post, sentryLine);
  return post.path === '/intake/v2/events' ? countLines(post, elasticLine) : nothing;
}

/** Counts the requests and the function calls in one of AppMap's files. */
export function countAppMap(text: string): Arrived {
  const { events }: AppMap = JSON.parse(text);
  const calls = events.filter(({ event }) => event === 'call');
  const requests = calls.filter((event) => event.http_server_request !== undefined).length;
  const functions = calls.length - requests;
  return { requests, steps: functions, withValues: functions };
}

export function sumArrived(all: readonly Arrived[]): Arrived {
  const sum = (what: keyof Arrived) => all.reduce((total, one) => total + one[what], 0);
  return { requests: sum('requests'), steps: sum('steps'), withValues: sum('withValues') };
}

const nothing: Arrived = { requests: 0, steps: 0, withValues: 0 };

interface AppMap {
  readonly events: readonly { readonly event: string; readonly http_server_request?: unknown }[];
}

function countOurs(post: Received): Arrived {
  const steps = post.posted.traces.flatMap(({ flow }) => flow);
  return {
    requests: post.posted.traces.length,
    steps: steps.length,
    withValues: steps.filter(({ variables }) => variables !== undefined).length,
  };
}

/** Adds up what `read` counts in each line of a body. Sentry and Elastic send bodies of JSON lines. */
function countLines(post: Received, read: (line: object) => Arrived): Arrived {
  const lines = post.bytes.toString('utf8').split('\n');
  return sumArrived(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const parsed: unknown = JSON.parse(line);
        return typeof parsed === 'object' && parsed !== null ? read(parsed) : nothing;
      }),
  );
}

/** Counts the spans in one line that Sentry's SDK sent. A span that is a segment counts as a request. */
function sentryLine(line: object): Arrived {
  if (!('items' in line) || !Array.isArray(line.items)) return nothing;
  const items: readonly { readonly is_segment?: unknown }[] = line.items;
  return {
    requests: items.filter((span) => span.is_segment === true).length,
    steps: items.length,
    withValues: 0,
  };
}

function elasticLine(line: object): Arrived {
  return { requests: 'transaction' in line ? 1 : 0, steps: 'span' in line ? 1 : 0, withValues: 0 };
}
