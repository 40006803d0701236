import { expect, test } from 'vitest';
import { makeProject } from './habits.ts';
import { PROBLEMS } from './problems/index.ts';
import { forkRandom } from './random.ts';
import type { Request } from './request.ts';
import { generateRequests } from './requests.ts';
import { writeSpans } from './spans-of-request.ts';

const UNTIL_MS = Date.parse('2026-03-05T17:20:00Z');
const project = makeProject(7, UNTIL_MS);
const problem = PROBLEMS.otlpError?.(project, forkRandom(project.seed, 'otlpError'));
const requests = problem === undefined ? [] : generateRequests(project, problem);
const STATUS_TEXT = 'Internal Server Error';

function findRequest(has: (request: Request) => boolean) {
  const request = requests.findLast(has);
  if (request === undefined) throw new Error('no request is like that');
  const spans = writeSpans(project, request, { statusText: STATUS_TEXT });
  const server = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  if (server === undefined) throw new Error('the request has no server span');
  return { request, spans, server };
}

test('an error reaches the server only as an exception event, and the status text does not contain its message', () => {
  const { request, server, spans } = findRequest(({ failure }) => failure?.status === 500);
  const message = request.failure?.message ?? '';
  expect(server.status).toEqual({ code: 2, message: STATUS_TEXT });
  expect(server.events?.map(({ name }) => name)).toEqual(['exception']);
  expect(server.events?.[0]?.attributes).toContainEqual({
    key: 'exception.message',
    value: { stringValue: message },
  });
  const elsewhere = spans.map(({ events: _events, ...span }) => span);
  expect(JSON.stringify(elsewhere)).not.toContain(JSON.stringify(message).slice(1, -1));
});

test('the status of a server span is not an error if the client is to blame', () => {
  const { server } = findRequest(({ failure }) => failure?.status === 402);
  expect(server.status).toBeUndefined();
});

test('spans of calls are children of the server span and end before it', () => {
  const { request, server, spans } = findRequest(({ endpoint }) => endpoint.path === '/orders');
  const children = spans.filter(({ parentSpanId }) => parentSpanId === server.spanId);
  expect(children).toHaveLength(request.calls.length);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  for (const { endTimeUnixNano, startTimeUnixNano } of children) {
    expect(BigInt(startTimeUnixNano)).toBeGreaterThan(BigInt(server.startTimeUnixNano));
    expect(BigInt(endTimeUnixNano)).toBeLessThan(BigInt(server.endTimeUnixNano));
  }
});
