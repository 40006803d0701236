import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readRouteRates } from '../context/route-rates.ts';
import { isSampled, type Sampling } from './sampling.ts';

function request(traceparent?: string, url = '/'): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  req.url = url;
  if (traceparent !== undefined) req.headers.traceparent = traceparent;
  return req;
}

const at = (rate: number, more: Partial<Sampling> = {}): Sampling => ({
  rate,
  routes: [],
  followParent: false,
  ...more,
});
const parent = (tail: string, flags = '01') => `00-${'a'.repeat(24)}${tail}-00f067aa0ba902b7-${flags}`;

test('rate 1 records every request, and rate 0 records none', () => {
  expect(isSampled(at(1), request(parent('ffffffff')))).toBe(true);
  expect(isSampled(at(1), request(parent('ffffffff', '00')))).toBe(true);
  expect(isSampled(at(0), request(parent('00000000')))).toBe(false);
});

test('a continued trace is sampled by its id: a trace that is sampled at one rate is also sampled at each higher rate', () => {
  expect(isSampled(at(0.5), request(parent('7fffffff')))).toBe(true);
  expect(isSampled(at(0.5), request(parent('80000001')))).toBe(false);
  expect(isSampled(at(0.6), request(parent('80000001')))).toBe(true);
});

test('a new trace is recorded at random, at the given rate', () => {
  const kept = Array.from({ length: 20_000 }, () => isSampled(at(0.25), request())).filter(Boolean).length;
  expect(kept).toBeGreaterThan(4500);
  expect(kept).toBeLessThan(5500);
});

describe('with the option followParent', () => {
  const follow = (rate: number) => at(rate, { followParent: true });

  test.each([0, 0.5, 1])("the caller's decision applies at any rate, such as %d", (rate) => {
    expect(isSampled(follow(rate), request(parent('ffffffff', '01')))).toBe(true);
    expect(isSampled(follow(rate), request(parent('00000000', '00')))).toBe(false);
    // In the flags of a `traceparent` header, only the lowest bit means "sampled".
    expect(isSampled(follow(rate), request(parent('ffffffff', '03')))).toBe(true);
    expect(isSampled(follow(rate), request(parent('ffffffff', 'fe')))).toBe(false);
  });

  test('a request without a valid header is sampled at the rate of the service', () => {
    for (const header of [undefined, 'nonsense', parent('ffffffff').toUpperCase()]) {
      expect(isSampled(follow(1), request(header))).toBe(true);
      expect(isSampled(follow(0), request(header))).toBe(false);
    }
  });
});

test("a route's own rate overrides the caller's decision and the service's rate", () => {
  const routes = readRouteRates({ '/health': 0, '/orders/:id': 1 }) ?? [];
  for (const followParent of [false, true]) {
    const sampling = at(0.5, { routes, followParent });
    expect(isSampled(sampling, request(parent('00000000', '01'), '/health?deep=1'))).toBe(false);
    expect(isSampled(sampling, request(parent('ffffffff', '00'), '/orders/17'))).toBe(true);
    expect(isSampled(sampling, request(parent('00000000', '01'), '/other'))).toBe(true);
    expect(isSampled(sampling, request(parent('ffffffff', '00'), 'http://host/other'))).toBe(false);
  }
});
