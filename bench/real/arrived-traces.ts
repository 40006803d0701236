import type { Received } from '@throughline/testkit/collector';
import type { Posted } from '@throughline/testkit/posted';
import { type Arrived, countPost } from '../sdk/arrived.ts';

/** Numbers of requests and steps that a tracer delivered. For our SDK, also the size of each trace. */
export interface ArrivedTraces extends Arrived {
  /** Size of each trace as JSON, in bytes. */
  readonly traceBytes: readonly number[];
}

/** Counts bodies one by one and keeps none of them in memory: uncompressed, the bodies of a round can be gigabytes. */
export function countTraces(posts: readonly Received[]): ArrivedTraces {
  let [requests, steps, withValues] = [0, 0, 0];
  const traceBytes: number[] = [];
  for (const post of posts) {
    if (post.isTraces) {
      const { traces }: Posted = JSON.parse(post.bytes.toString());
      for (const trace of traces) {
        requests++;
        steps += trace.flow.length;
        withValues += trace.flow.filter(({ variables }) => variables !== undefined).length;
        traceBytes.push(Buffer.byteLength(JSON.stringify(trace)));
      }
    } else {
      const counted = countPost(post);
      requests += counted.requests;
      steps += counted.steps;
      withValues += counted.withValues;
    }
  }
  return { requests, steps, withValues, traceBytes };
}
