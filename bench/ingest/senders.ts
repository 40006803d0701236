import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type GeneratedTrace, generateTraces } from '../lib/trace-generator.ts';

/** A compressed body and the ids of its traces. */
export interface Batch {
  readonly body: Buffer;
  readonly ids: readonly string[];
}

const SERVICE = {
  name: 'shop',
  version: '1.4.2',
  environment: 'production',
  release: 'a1b2c3',
  instance: 'bench:1',
  runtime: 'node 24',
};

/**
 * Builds batches before the measurement begins, compressed as the SDK compresses them. `sampled` contains about `keep` traces, to be
 * compared with the stored traces. With `anonymous`, traces have no ids, so a body that is sent again creates new traces.
 */
export function makeBatches(options: {
  readonly seed: number;
  readonly batches: number;
  readonly traces: number;
  readonly keep: number;
  readonly anonymous?: boolean;
}): {
  readonly batches: readonly Batch[];
  readonly sampled: readonly GeneratedTrace[];
} {
  const source = generateTraces(options.seed, Date.now);
  const sampled: GeneratedTrace[] = [];
  const every = Math.max(1, Math.floor((options.batches * options.traces) / options.keep));
  const batches = Array.from({ length: options.batches }, (_batch, index) => {
    const traces = Array.from({ length: options.traces }, () => source.next().value);
    for (const [place, trace] of traces.entries())
      if ((index * options.traces + place) % every === 0) sampled.push(trace);
    const sent = options.anonymous === true ? traces.map(withoutIds) : traces;
    const envelope = { sdk: { name: 'bench', version: '1' }, service: SERVICE, traces: sent };
    const body = gzipSync(JSON.stringify(envelope), { level: 1 });
    return { body, ids: traces.map(({ _id }) => _id) };
  });
  return { batches, sampled };
}

function withoutIds({ _id: _theId, traceId: _traceId, spanId: _spanId, ...rest }: GeneratedTrace): object {
  return rest;
}

export interface Sent {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly accepted: number;
  readonly ms: number;
}

/** Posts bodies over persistent connections. */
export function createSender(server: { readonly url: string; readonly apiKey: string }, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (batch: Batch) =>
    new Promise<Sent>((resolve, reject) => {
      const startMs = performance.now();
      const call = request(`${server.url}/api/ingest/traces`, {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'content-length': batch.body.length,
          'x-api-key': server.apiKey,
        },
      });
      call.on('error', reject);
      call.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => {
          const accepted: unknown = answer.statusCode === 200 ? JSON.parse(text).accepted : 0;
          resolve({
            status: answer.statusCode ?? 0,
            retryAfter: answer.headers['retry-after'],
            accepted: Number(accepted),
            ms: performance.now() - startMs,
          });
        });
      });
      call.end(batch.body);
    });
  return { send, close: () => agent.destroy() };
}
