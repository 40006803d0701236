import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isSampled } from './sampling.ts';

function request(traceparent?: string): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  if (traceparent !== undefined) req.headers.traceparent = traceparent;
  return req;
}

const parent = (tail: string) => `00-${'a'.repeat(24)}${tail}-00f067aa0ba902b7-01`;

test('all and nothing are certain', () => {
  expect(isSampled(1, request(parent('ffffffff')))).toBe(true);
  expect(isSampled(0, request(parent('00000000')))).toBe(false);
});

test('a continued trace is decided by its id: kept at a rate, it is kept at each higher one', () => {
  expect(isSampled(0.5, request(parent('7fffffff')))).toBe(true);
  expect(isSampled(0.5, request(parent('80000001')))).toBe(false);
  expect(isSampled(0.6, request(parent('80000001')))).toBe(true);
});

test('a new one is decided by chance, as often as the rate says', () => {
  const kept = Array.from({ length: 20_000 }, () => isSampled(0.25, request())).filter(Boolean).length;
  expect(kept).toBeGreaterThan(4500);
  expect(kept).toBeLessThan(5500);
});
