import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ActiveRequests } from './active-requests.ts';
import { RequestTrace } from './request-trace.ts';

const request = () =>
  new RequestTrace(
    { method: 'GET', url: '/', headers: {}, socket: {} },
    {
      statusCode: 200,
      headersSent: true,
      writableEnded: true,
      writableFinished: true,
      getHeaders: () => ({}),
    },
    null,
    0,
  );

test('each request in progress is listed once, whatever the order in which the requests end', () => {
  const action = fc.oneof(fc.constant('add' as const), fc.nat(), fc.constant('clear' as const));
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
      const active = new ActiveRequests();
      const all: RequestTrace[] = [];
      const expected = new Set<RequestTrace>();
      for (const what of actions) {
        if (what === 'add') {
          const trace = request();
          all.push(trace);
          expected.add(trace);
          active.add(trace);
        } else if (what === 'clear') {
          active.clear();
          expected.clear();
        } else {
          // The chosen trace can also be one that was deleted earlier.
          const trace = all[what % Math.max(1, all.length)];
          if (trace === undefined) continue;
          active.delete(trace);
          expected.delete(trace);
        }
        expect(active.size).toBe(expected.size);
        expect(new Set(active)).toEqual(expected);
      }
    }),
  );
});

test('requests can end while the list of active requests is iterated', () => {
  const active = new ActiveRequests();
  const all = Array.from({ length: 5 }, request);
  for (const trace of all) active.add(trace);
  const seen: RequestTrace[] = [];
  for (const trace of active) {
    seen.push(trace);
    active.delete(trace);
  }
  expect(seen).toEqual(all);
  expect(active.size).toBe(0);
});
