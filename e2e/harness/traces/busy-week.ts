import type { Page } from '@playwright/test';
import { sendTraces } from './traces.ts';

const HOUR_MS = 3_600_000;
const HOURS = 6 * 24;

/** Builds a random generator (mulberry32) for numbers from 0 up to 1. The same seed gives the same numbers. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ENDPOINTS = [
  ['GET', '/api/products', 12],
  ['GET', '/api/products/:id', 8],
  ['GET', '/api/cart', 6],
  ['POST', '/api/cart/items', 30],
  ['POST', '/api/checkout', 240],
  ['GET', '/api/orders/:id', 25],
  ['PUT', '/api/account', 60],
  ['DELETE', '/api/cart/items/:id', 15],
] as const;
const COUNTRIES = ['DE', 'US', 'GB', 'FR', 'JP', 'BR', 'IN', ''] as const;
const MESSAGES = [
  'card was declined',
  "cannot read properties of undefined (reading 'rate')",
  'no stock of 17',
];

/** Sends six days of traces of a shop and of the services that the shop calls. The shop's users are all over the world. */
export async function sendBusyWeek(page: Page): Promise<void> {
  const next = numbers(17);
  const pick = <T>(all: readonly T[]): T => {
    const one = all[Math.floor(next() * all.length)];
    if (one === undefined) throw new Error('there is nothing to pick from');
    return one;
  };
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  const sent = new Map<string, unknown[]>(['shop', 'payments', 'mailer', ''].map((name) => [name, []]));
  const lastHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const busy = 3 + 9 * Math.max(0, Math.sin((hour / 24) * 2 * Math.PI)) * next();
    for (let index = 0; index < busy; index += 1) {
      const [method, route, usualMs] = pick(ENDPOINTS);
      const startMs = lastHour - (HOURS - hour) * HOUR_MS + Math.floor(next() * HOUR_MS);
      const duration = usualMs * (0.4 + 1.2 * next()) * (next() > 0.97 ? 12 : 1);
      const failed = next() < (route === '/api/checkout' ? 0.18 : 0.02);
      const known = next() < 0.8;
      const country = pick(COUNTRIES);
      const [traceId, spanId] = [hex(32), hex(16)];
      const startTime = new Date(startMs).toISOString();
      const request = (more: object) => ({
        traceId,
        response: { statusCode: failed ? pick([500, 404, 422]) : pick([200, 200, 201, 304]) },
        timing: { startTime, duration },
        performance: {
          memoryUsage: { heapUsed: 60e6 + 30e6 * next() + hour * 1e5 },
          cpuUsage: 2 + busy * next(),
          eventLoopDelay: next() * 3,
        },
        ...(failed && { error: { hasError: true, errorMessage: pick(MESSAGES) } }),
        ...more,
      });
      const step = (at: number, stepName: string, stepType: string, more: object = {}) => ({
        stepId: `s${at}`,
        stepName,
        stepType,
        startTime,
        duration: duration / 4,
        ...more,
      });
      const asks = route === '/api/checkout' || next() < 0.2;
      sent.get('shop')?.push(
        request({
          spanId,
          request: {
            method,
            path: route.replace(':id', String(Math.floor(next() * 900))),
            route,
            headers: country === '' ? {} : { 'cf-ipcountry': country },
          },
          ...(known && { user: { id: `customer-${Math.floor(next() * 40)}` } }),
          flow: [
            step(1, 'authenticate', 'middleware'),
            ...(next() < 0.7
              ? [step(2, 'SELECT products', 'database', { metadata: { 'db.system.name': 'postgresql' } })]
              : []),
            ...(next() < 0.5 ? [step(3, 'GET', 'cache', { metadata: { 'db.system.name': 'redis' } })] : []),
            ...(asks
              ? [step(4, 'POST payments.example/charge', 'http'), step(5, 'priceOf', 'function')]
              : []),
            ...(failed ? [step(6, 'taxFor', 'function', { error: { message: 'no rate' } })] : []),
          ],
        }),
      );
      if (!asks) continue;
      for (const [service, route] of [
        ['payments', '/charge'],
        ['mailer', '/send'],
        ['', '/audit'],
      ] as const) {
        sent.get(service)?.push(
          request({
            spanId: hex(16),
            parentSpanId: spanId,
            request: { method: 'POST', path: route, route },
          }),
        );
      }
    }
  }
  for (const [service, traces] of sent) await sendTraces(page, traces, service);
}
