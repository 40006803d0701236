import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { TraceRow } from '@throughline/contract';
import { afterEach, expect, test, vi } from 'vitest';
import type { VisibleProject } from '../../../platform/http/guard.ts';
import { createId, type ProjectId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import type { Asked } from './audience.ts';
import { createAudiences } from './audiences.ts';
import { Viewer } from './viewer.ts';

const PROJECT = createId<ProjectId>();
const VISIBLE: readonly VisibleProject[] = [{ id: PROJECT, role: 'solo', shownSince: 0n }];
const ALL: Asked = { filters: {}, attributes: [] };

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** Opens HTTP responses that the clients do not read. */
async function openStreams(count: number): Promise<ServerResponse[]> {
  const streams: ServerResponse[] = [];
  const server = createServer((_request, answer) => {
    answer.writeHead(200).flushHeaders();
    streams.push(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  for (let client = 0; client < count; client++) {
    connect(address.port, '127.0.0.1').pause().write('GET / HTTP/1.1\r\nhost: test\r\n\r\n');
  }
  await vi.waitFor(() => expect(streams).toHaveLength(count));
  return streams;
}

const row = (path = '/'): TraceRow => ({
  _id: createId(),
  traceId: 'a'.repeat(32),
  projectId: PROJECT,
  request: { method: 'GET', path, route: null },
  response: { statusCode: 200 },
  timing: { startTime: '2026-01-01T00:00:00.000000Z', duration: 1 },
  error: { hasError: false, errorMessage: null, errorCode: null },
  service: 'shop',
  environment: '',
  release: '',
  userId: null,
  sessionId: null,
  country: null,
  instance: '',
  stepCount: 0,
});

function createTestAudiences(
  having: (ids: readonly string[]) => Promise<ReadonlySet<string>> = async () => new Set(),
) {
  return createAudiences({ log: createLog('silent'), having });
}

test('viewers who see the same projects with the same filters receive the same buffer', async () => {
  const streams = await openStreams(3);
  const writes = streams.map((stream) => vi.spyOn(stream, 'write'));
  const audiences = createTestAudiences();
  const [one, same, other] = streams.map((stream) => new Viewer(stream));
  if (one === undefined || same === undefined || other === undefined) throw new Error('no viewers');
  audiences.place(one, ALL, VISIBLE);
  audiences.place(same, { ...ALL, filters: { search: '' } }, VISIBLE);
  audiences.place(other, { ...ALL, filters: { search: '/b' } }, VISIBLE);
  audiences.publish([row('/a'), row('/b')]);
  await vi.waitFor(() => expect(writes[2]).toHaveBeenCalledTimes(1));
  const [first, second] = writes.map((write) => write.mock.calls[0]?.[0]);
  expect(first).toBeInstanceOf(Buffer);
  expect(second).toBe(first);
  expect(String(writes[2]?.mock.calls[0]?.[0])).not.toContain('"/a"');
});

test('at most half a megabyte is queued for a viewer, however much is published', async () => {
  const [stream] = await openStreams(1);
  if (stream === undefined) throw new Error('no stream');
  const audiences = createTestAudiences();
  const viewer = new Viewer(stream);
  audiences.place(viewer, ALL, VISIBLE);
  // Sends directly to the viewer instead of through an audience: if a slow machine takes few turns, an audience omits rows before the
  // viewer is full. The operating system buffers the first megabytes.
  const chunk = { bytes: Buffer.alloc(64 * 1024, ':'), rows: 8 };
  await vi.waitFor(
    () => {
      viewer.show(chunk);
      expect(stream.writableLength).toBeGreaterThan(400_000);
    },
    { timeout: 15_000, interval: 5 },
  );
  const path = `/${'x'.repeat(8_000)}`;
  for (let batch = 0; batch < 30; batch++) {
    audiences.publish(Array.from({ length: 100 }, () => row(path)));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(stream.writableLength).toBeLessThanOrEqual(512 * 1024 + 1024);
  }
});

test('viewers whose filter waits for the store do not delay other viewers, and the store is queried once for viewers with the same filter', async () => {
  const streams = await openStreams(3);
  const writes = streams.map((stream) => vi.spyOn(stream, 'write'));
  let answer: (ids: ReadonlySet<string>) => void = () => {};
  const having = vi.fn(
    () =>
      new Promise<ReadonlySet<string>>((resolve) => {
        answer = resolve;
      }),
  );
  const audiences = createTestAudiences(having);
  const [one, same, plain] = streams.map((stream) => new Viewer(stream));
  if (one === undefined || same === undefined || plain === undefined) throw new Error('no viewers');
  const slow: Asked = { ...ALL, filters: { feature: '/orders' } };
  audiences.place(one, slow, VISIBLE);
  audiences.place(same, slow, VISIBLE);
  audiences.place(plain, ALL, VISIBLE);
  const published = row();
  audiences.publish([published]);
  await vi.waitFor(() => expect(writes[2]).toHaveBeenCalled());
  expect(writes[0]).not.toHaveBeenCalled();
  expect(having).toHaveBeenCalledTimes(1);
  answer(new Set([published._id]));
  await vi.waitFor(() => expect(writes[0]).toHaveBeenCalled());
  expect(writes[1]).toHaveBeenCalled();
});
