import { afterEach, beforeAll, expect, test } from 'vitest';
import { host, nextTrace, type Running, serve, unexpectedTraces, watch } from '../../../test/watched.ts';
import { getCurrentRecording } from '../../record/async/current-recording.ts';
import { settleRequests } from '../entry.ts';
import { RequestEnds } from './after-response.ts';
import { RequestTrace } from './request-trace.ts';

let running: Running | undefined;

beforeAll(watch);
afterEach(async () => {
  await running?.close();
  expect(unexpectedTraces()).toBe(0);
});

function open(name: string) {
  const recording = getCurrentRecording();
  const step = recording?.open({ name, type: 'custom', parent: null });
  if (!recording || !step) throw new Error('nothing is recorded');
  return { close: () => recording.close(step) };
}

test('work after the response is marked in the trace, and does not lengthen the duration of the request', async () => {
  running = await serve((_req, res) => {
    const job = open('job');
    res.end('ok');
    setTimeout(() => {
      open('late').close();
      job.close();
    }, 200);
  });
  await (await fetch(running.url)).text();
  const trace = await nextTrace();
  expect(trace.flow.map(({ stepName, metadata }) => [stepName, metadata])).toEqual([
    ['job', undefined],
    ['late', { afterResponse: true }],
  ]);
  expect(trace.attributes?.['throughline.afterResponseMs']).toBeGreaterThan(100);
  expect(trace.timing.duration).toBeLessThan(150);
});

test('work that is deferred with setImmediate is in the trace', async () => {
  running = await serve((_req, res) => {
    res.on('close', () => setImmediate(() => open('after').close()));
    res.end('ok');
  });
  await (await fetch(running.url)).text();
  const trace = await nextTrace();
  expect(trace.flow.map(({ stepName }) => stepName)).toEqual(['after']);
});

test('a trace that waits for steps after the response can be sent immediately, with these steps marked as unfinished', async () => {
  running = await serve((_req, res) => {
    open('never ends');
    res.end('ok');
  });
  await (await fetch(running.url)).text();
  await new Promise((wait) => setTimeout(wait, 20));
  expect(unexpectedTraces()).toBe(0);
  settleRequests();
  const trace = await nextTrace();
  expect(trace.flow[0]?.metadata).toEqual({ unfinished: true });
  expect(trace.attributes?.['throughline.unfinished']).toBeUndefined();
});

test('a request ends a minute after its start if its response is streaming, but does not end while it waits for a response', async () => {
  const ended: RequestTrace[] = [];
  const active: RequestTrace[] = [];
  const ends = new RequestEnds({ active, end: (trace) => ended.push(trace) });
  const begun = (headersSent: boolean) => {
    const response = { statusCode: 200, headersSent, writableEnded: false, writableFinished: false };
    const trace = new RequestTrace(
      { method: 'GET', url: '/feed', headers: {}, socket: {} },
      { ...response, getHeaders: () => ({}) },
      host.newRecording(),
      0,
    );
    Object.defineProperty(trace, 'startMs', { value: performance.now() - 61_000 });
    active.push(trace);
    ends.opened();
    return trace;
  };
  const waiting = begun(false);
  const streaming = begun(true);
  while (ended.length === 0) await new Promise((wait) => setTimeout(wait, 20));
  expect(ended).toEqual([streaming]);
  expect([streaming.cut, waiting.cut, waiting.ended]).toEqual([true, false, false]);
  for (const trace of [waiting, streaming]) trace.recording?.finish();
});
