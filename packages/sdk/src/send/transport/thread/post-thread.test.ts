import { answer, Collector, storeAll } from '@throughline/testkit/collector';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildBody } from '../../queue/batch.ts';
import type { Answer } from '../outcome.ts';
import { buildHeaders, type Target } from '../post.ts';
import { Transport } from '../transport.ts';
import { isPostThread, PostThread } from './post-thread.ts';

let collector: Collector;
let target: Target;
let thread: PostThread | undefined;

beforeEach(async () => {
  collector = new Collector();
  await collector.start();
  target = { url: new URL(`${collector.url}/api/ingest/traces`), apiKey: 'tl_test', userAgent: 'test' };
});
afterEach(async () => {
  thread?.close();
  await collector.stop();
});

const makeBody = () => buildBody([], '{"sdk":{"name":"test"}}', 3);

function postOver(one: PostThread, key: string): Promise<Answer> {
  return new Promise((resolve) => one.post(buildHeaders(target, key), makeBody(), resolve));
}

describe('the worker thread that posts traces', () => {
  it('posts a body in the same way as the exporter, compressed and with its idempotency key', async () => {
    thread = new PostThread(target);
    expect(await postOver(thread, 'batch-1')).toEqual({
      status: 200,
      retryAfter: undefined,
      body: '{"accepted":0,"rejected":[]}',
    });
    const [received] = collector.received;
    expect(received?.headers).toMatchObject({
      'x-api-key': 'tl_test',
      'idempotency-key': 'batch-1',
      'content-encoding': 'zstd',
    });
    expect(received?.posted).toEqual({ sdk: { name: 'test' }, lost: { traces: 3 }, traces: [] });
  });

  it('returns the memory of a posted body', async () => {
    const one = new PostThread(target);
    thread = one;
    const body = makeBody();
    const { byteLength } = body.buffer;
    const back = await new Promise<Uint8Array | undefined>((resolve) =>
      one.post(buildHeaders(target, 'a'), body, (_, memory) => resolve(memory)),
    );
    expect(body.byteLength).toBe(0);
    expect(back?.buffer.byteLength).toBe(byteLength);
  });

  it('compresses with gzip if a proxy refuses other encodings', async () => {
    collector.reply = (response, received, nth) => {
      if (received.headers['content-encoding'] === 'gzip') storeAll(response, received, nth);
      else answer(response, 415, {});
    };
    thread = new PostThread(target);
    expect(await postOver(thread, 'a')).toMatchObject({ status: 200 });
    expect(await postOver(thread, 'b')).toMatchObject({ status: 200 });
    const encodings = collector.received.map(({ headers }) => headers['content-encoding']);
    expect(encodings).toEqual(['zstd', 'gzip', 'gzip']);
  });

  it('reports a missing response if the server is unreachable', async () => {
    await collector.stop();
    thread = new PostThread(target);
    expect(await postOver(thread, 'a')).toMatchObject({ status: 0, failure: 'ECONNREFUSED' });
    await collector.start();
  });

  it('reports unfinished posts as failed when it is closed', async () => {
    collector.reply = () => {};
    const one = new PostThread(target);
    const waiting = postOver(one, 'a');
    one.close();
    expect(await waiting).toMatchObject({ status: 0 });
    expect(await postOver(one, 'b')).toMatchObject({ status: 0 });
  });

  it("is distinguished from the host's threads", async () => {
    const seen = new Promise((resolve) => process.once('worker', resolve));
    thread = new PostThread(target);
    expect(isPostThread(Object(await seen))).toBe(true);
    expect(isPostThread({})).toBe(false);
  });
});

describe('the transport', () => {
  const post = (transport: Transport, key: string) =>
    new Promise<Answer>((resolve) => transport.post(key, makeBody(), resolve));

  it('uses the worker thread once the thread is started', async () => {
    const transport = new Transport(target);
    expect(await post(transport, 'a')).toMatchObject({ status: 200 });
    expect(transport.hasThread).toBe(false);
    transport.startThread();
    expect(await post(transport, 'b')).toMatchObject({ status: 200 });
    expect(transport.hasThread).toBe(true);
    transport.close();
    expect(collector.received).toHaveLength(2);
  });

  it('uses the main thread permanently if the worker thread did not reach the server', async () => {
    const port = Number(new URL(collector.url).port);
    const transport = new Transport(target);
    transport.startThread();
    await collector.stop();
    expect(await post(transport, 'a')).toMatchObject({ status: 0 });
    expect(transport.hasThread).toBe(false);
    collector = new Collector();
    await collector.start(port);
    transport.startThread();
    expect(transport.hasThread).toBe(false);
    expect(await post(transport, 'b')).toMatchObject({ status: 200 });
    transport.close();
  });
});
