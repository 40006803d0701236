/**
 * The requests among which the walks look for answers: a shop's traffic of six days. Release 1.4.2 made orders slow for the tenant acme,
 * and lacks the tax rate of one country. The same time always gives the same requests.
 */
import { seeded } from '../../lib/trace-generator.ts';

type Sent = Readonly<Record<string, unknown>>;

/** The requests of one release. */
export interface ReleasedRequests {
  readonly release: string;
  readonly traces: readonly Sent[];
}

export const RELEASES = { before: '1.4.1', now: '1.4.2' } as const;
/** Users whose checkouts fail. */
export const AFFECTED = ['u-9', 'u-12', 'u-17'] as const;
const FEED_ITEMS = 400;
/** Number of the one item that is slow to load, among {@link FEED_ITEMS}. */
const SLOW_ITEM = 271;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HISTORY_HOURS = 6 * 24;
const RELEASED_HOURS_AGO = 6;
const PER_HOUR = 40;

const ENDPOINTS = [
  { method: 'GET', route: '/products', usualMs: 12 },
  { method: 'GET', route: '/orders/:id', usualMs: 30 },
  { method: 'GET', route: '/cart', usualMs: 6 },
  { method: 'POST', route: '/cart/items', usualMs: 16 },
] as const;
const TENANTS = ['acme', 'globex', 'initech', 'umbrella'] as const;

/** Builds the requests that ended before `now`. */
export function buildRequests(now: Date): readonly ReleasedRequests[] {
  const random = seeded(26);
  const byRelease = { before: [] as Sent[], now: [] as Sent[] };
  for (let hour = HISTORY_HOURS; hour > 0; hour -= 1) {
    const release = hour > RELEASED_HOURS_AGO ? 'before' : 'now';
    for (let index = 0; index < PER_HOUR; index += 1) {
      const at = new Date(now.getTime() - (hour - random()) * HOUR_MS - MINUTE_MS);
      byRelease[release].push(buildUsual(at, random, release));
    }
  }
  return [
    { release: RELEASES.before, traces: byRelease.before },
    { release: RELEASES.now, traces: [...byRelease.now, ...buildNewest(now)] },
  ];
}

function buildUsual(at: Date, random: () => number, release: keyof typeof RELEASES): Sent {
  const endpoint = ENDPOINTS[Math.floor(random() * ENDPOINTS.length)] ?? ENDPOINTS[0];
  const tenant = TENANTS[Math.floor(random() * TENANTS.length)] ?? TENANTS[0];
  const isSlow = release === 'now' && tenant === 'acme' && endpoint.route === '/orders/:id';
  const duration = endpoint.usualMs * (0.7 + 0.6 * random()) * (isSlow ? 6 : 1);
  return {
    request: {
      method: endpoint.method,
      path: endpoint.route.replace(':id', String(100 + Math.floor(random() * 900))),
      route: endpoint.route,
      headers: {},
    },
    response: { statusCode: 200 },
    timing: { startTime: at.toISOString(), duration },
    user: { id: `u-${20 + Math.floor(random() * 30)}` },
    attributes: { tenant },
    flow: [],
  };
}

/** Builds the newest requests: successful and failed checkouts, reports of which the newest is slow, and a feed with one slow item. */
function buildNewest(now: Date): readonly Sent[] {
  const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const passed = Array.from({ length: 12 }, (_, index) =>
    buildCheckout(secondsAgo(400 + index * 20), index % 2 === 0 ? 'GB' : 'DE', `u-${20 + index}`),
  );
  const failed = Array.from({ length: 6 }, (_, index) =>
    buildCheckout(secondsAgo(20 + index * 50), 'UK', AFFECTED[index % AFFECTED.length] ?? AFFECTED[0]),
  );
  const reports = [10, 310, 320, 330, 340, 350, 360].map((seconds, index) =>
    buildReport(secondsAgo(seconds), index === 0 ? 2100 : 40 + index),
  );
  return [...passed, ...failed, ...reports, buildFeed(secondsAgo(15))];
}

const FILE = 'src/checkout.ts';
const RATES: Readonly<Record<string, number>> = { GB: 0.2, DE: 0.19 };
const MESSAGE = "Cannot read properties of undefined (reading 'rate')";
const TAX_SOURCE = `export function taxFor(country: string, total: number): number {
  const entry = RATES.get(country);
  const rate = entry.rate;
  return total * rate;
}`;

/** Builds the trace of a checkout. The checkout fails if there is no tax rate for its country. */
function buildCheckout(at: Date, country: string, user: string): Sent {
  const rate = RATES[country];
  const total = 100;
  const stack = `TypeError: ${MESSAGE}\n    at taxFor (/app/${FILE}:17:22)\n    at placeOrder (/app/${FILE}:28:15)`;
  const failure = rate === undefined ? { error: { name: 'TypeError', message: MESSAGE, stack } } : {};
  return {
    request: { method: 'POST', path: '/checkout', route: '/checkout', headers: {}, body: { country, total } },
    response: { statusCode: rate === undefined ? 500 : 200 },
    timing: { startTime: at.toISOString(), duration: 20 },
    ...(rate === undefined && { error: { hasError: true, errorMessage: MESSAGE } }),
    user: { id: user },
    attributes: { tenant: 'globex' },
    sources: [{ file: FILE, version: 'aB3_-9xyz012', functions: [{ line: 15, text: TAX_SOURCE }] }],
    flow: [
      buildStep(at, 'placeOrder', null, [0, 20], {
        stepType: 'handler',
        filePath: FILE,
        lineNumber: 25,
        inputs: { order: { country, total, user } },
        ...failure,
      }),
      buildStep(at, 'loadCart', 'placeOrder', [1, 3], {
        filePath: 'src/cart.ts',
        lineNumber: 7,
        inputs: { user },
      }),
      buildStep(at, 'taxFor', 'placeOrder', [5, 4], {
        filePath: FILE,
        lineNumber: 15,
        inputs: { country, total },
        variables: {
          capturedAt: rate === undefined ? 'throw' : 'return',
          parameters: { country, total },
          localVariables: { entry: rate === undefined ? { $type: 'undefined' } : { rate } },
          ...(rate !== undefined && { returnValue: total * rate }),
        },
        ...failure,
      }),
    ],
  };
}

/** Builds the trace of a request for a report. The request spends its time in `renderReport`, which other functions of the report call. */
function buildReport(at: Date, duration: number): Sent {
  const inReport = (lineNumber: number) => ({ filePath: 'src/report.ts', lineNumber });
  return {
    request: { method: 'GET', path: '/reports/sales', route: '/reports/sales', headers: {} },
    response: { statusCode: 200 },
    timing: { startTime: at.toISOString(), duration },
    user: { id: 'u-20' },
    attributes: { tenant: 'globex' },
    flow: [
      buildStep(at, 'authenticate', null, [0, 1], { stepType: 'middleware' }),
      buildStep(at, 'salesReport', null, [1, duration - 1], { stepType: 'handler', ...inReport(8) }),
      buildStep(at, 'loadSales', 'salesReport', [2, 12], inReport(20)),
      buildStep(at, 'SELECT sales', 'loadSales', [3, 10], { stepType: 'database' }),
      buildStep(at, 'formatReport', 'salesReport', [16, duration - 18], inReport(31)),
      buildStep(at, 'renderReport', 'formatReport', [18, duration - 24], {
        ...inReport(44),
        inputs: { rows: 12_000 },
      }),
    ],
  };
}

/** Builds the trace of a request with many calls of one function. One of the calls is slow. */
function buildFeed(at: Date): Sent {
  const slowMs = 640;
  const durationMs = FEED_ITEMS + slowMs + 4;
  const items = Array.from({ length: FEED_ITEMS }, (_, index) => {
    const start = 2 + index + (index > SLOW_ITEM ? slowMs : 0);
    return buildStep(at, `loadItem-${index}`, 'loadFeed', [start, index === SLOW_ITEM ? slowMs : 0.9], {
      stepName: 'loadItem',
      functionName: 'loadItem',
      filePath: 'src/feed.ts',
      lineNumber: 12,
      inputs: { id: 5000 + index },
    });
  });
  return {
    request: { method: 'GET', path: '/feed', route: '/feed', headers: {} },
    response: { statusCode: 200 },
    timing: { startTime: at.toISOString(), duration: durationMs },
    user: { id: 'u-21' },
    attributes: { tenant: 'globex' },
    flow: [
      buildStep(at, 'loadFeed', null, [1, durationMs - 1], {
        stepType: 'handler',
        filePath: 'src/feed.ts',
        lineNumber: 3,
      }),
      ...items,
    ],
  };
}

function buildStep(
  at: Date,
  stepId: string,
  parentStepId: string | null,
  [startMs, duration]: readonly [number, number],
  more: Sent,
): Sent {
  return {
    stepId,
    parentStepId,
    stepName: stepId,
    functionName: stepId,
    stepType: 'function',
    startTime: new Date(at.getTime() + startMs).toISOString(),
    duration,
    ...more,
  };
}
