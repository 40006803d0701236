import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_RATIO } from '../distributions.ts';
import { randomFrom } from '../fixtures/planted.ts';
import { findChanges, type Span } from './find-changes.ts';
import { groupChanges } from './group-changes.ts';
import type { Hour, HourSeries, Part, Signal } from './hour-series.ts';

/** Fourteen days, of which the last seven are examined. The last hour is incomplete. */
const SPAN: Span = { since: 0, from: 168, until: 335, isWhole: false };
const NOON_OF_LAST_DAY = 324;

interface Habits {
  readonly seed: number;
  /** Requests in the busiest hour. */
  readonly busiest?: number;
  /** The factor by which requests of an hour take longer. */
  readonly slower?: (hour: number, random: () => number) => number;
  readonly errors?: (hour: number) => number;
  readonly traffic?: (hour: number) => number;
  readonly path?: string;
  readonly part?: Part;
}

/** Builds requests with a daily rhythm, a quieter weekend, and counts that differ by up to a tenth from day to day. */
function buildSeries({
  seed,
  busiest = 60,
  slower,
  errors,
  traffic,
  path = '/orders',
  part,
}: Habits): HourSeries {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const days = Array.from({ length: 14 }, (_, day) => (day % 7 > 4 ? 0.6 : 1) * (0.95 + 0.1 * random()));
  const hours = new Map<number, Hour>();
  for (let at = 0; at <= SPAN.until; at += 1) {
    const rhythm = 0.15 + 0.85 * Math.sin((Math.PI * (at % 24)) / 24) ** 2;
    const expected = busiest * rhythm * (days[Math.floor(at / 24)] ?? 1) * (traffic?.(at) ?? 1);
    const count = Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()));
    if (count === 0) continue;
    const histogram = new Map<number, number>();
    let failed = 0;
    for (let request = 0; request < count; request += 1) {
      // At night caches are cold, so requests take longer.
      const ms = 50 * (1.4 - 0.4 * rhythm) * Math.exp(0.35 * normal()) * (slower?.(at, random) ?? 1);
      const bucket = Math.floor(Math.log(ms * 1000 + 1) / Math.log(BUCKET_RATIO));
      histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
      if (random() < (errors?.(at) ?? 0.01)) failed += 1;
    }
    hours.set(at, { errors: failed, histogram });
  }
  const signals: Signal[] = [
    'p50',
    'p95',
    'p99',
    'errorRate',
    ...(part === undefined ? (['requests'] as const) : []),
  ];
  return {
    service: 'shop',
    environment: 'production',
    method: 'GET',
    path,
    part: part ?? null,
    signals,
    hours,
  };
}

const find = (...series: readonly HourSeries[]) =>
  groupChanges([...findChanges(series, SPAN)].flat(), series);
const since = (start: number) => (hour: number) => hour >= start;

describe('the search for changes', () => {
  test('finds nothing in traffic that varies only by time of day, by weekday and by chance', () => {
    const alarms = Array.from({ length: 100 }, (_, seed) => find(buildSeries({ seed: seed + 1 }))).flat();
    expect(alarms.map(({ signal, start }) => ({ signal, start }))).toEqual([]);
  });

  test('reports a change for fewer than ten of 1,000 rare errors whose rate varies only by chance', () => {
    const part: Part = { name: 'error', value: 'no address' };
    const series = Array.from({ length: 1000 }, (_, seed) =>
      buildSeries({ seed: seed + 1, busiest: 5, errors: () => 0.015, part }),
    ).map((one) => ({ ...one, signals: ['errorRate'] as const }));
    const alarms = series.filter((one) => [...findChanges([one], SPAN)].flat().length > 0);
    expect(alarms.length).toBeLessThan(10);
  });

  test.each([
    [
      'that is four times slower for hours',
      'p50',
      { slower: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 4 : 1) },
    ],
    [
      'that is nearly three times as slow for a fifth of the requests',
      'p95',
      {
        slower: (hour: number, random: () => number) =>
          since(NOON_OF_LAST_DAY)(hour) && random() < 0.2 ? 2.7 : 1,
      },
    ],
    [
      'with a longer tail',
      'p99',
      {
        slower: (hour: number, random: () => number) =>
          since(NOON_OF_LAST_DAY)(hour) && random() < 0.04 ? 25 : 1,
      },
    ],
    [
      'that fails for hours',
      'errorRate',
      { errors: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 0.3 : 0.01) },
    ],
    ['without traffic', 'requests', { traffic: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 0 : 1) }],
    [
      'with five times the traffic',
      'requests',
      { traffic: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 5 : 1) },
    ],
  ] as const)('finds an endpoint %s, with the hour in which the change began', (_what, signal, planted) => {
    const found = Array.from({ length: 20 }, (_, seed) => find(buildSeries({ seed: seed + 1, ...planted })));
    const right = found.filter((changes) =>
      changes.some((change) => change.signal === signal && Math.abs(change.start - NOON_OF_LAST_DAY) <= 1),
    );
    expect(right.length).toBeGreaterThanOrEqual(18);
    // One cause must not give several findings. (In up to 2 of the 20 series, the change is not found.)
    for (const changes of found) expect(changes.length).toBeLessThanOrEqual(1);
  });

  test('finds the hour in which a change of several days began, not the beginning of the range', () => {
    const start = 250;
    const [change] = find(buildSeries({ seed: 3, errors: (hour) => (hour >= start ? 0.2 : 0.01) }));
    expect(change?.signal).toBe('errorRate');
    expect(Math.abs((change?.start ?? 0) - start)).toBeLessThanOrEqual(2);
  });

  test('names the country if only one country changed', () => {
    const slow = { slower: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 4 : 1) };
    const [change, ...others] = find(
      buildSeries({ seed: 1, busiest: 160 }),
      buildSeries({ seed: 2, part: { name: 'country', value: 'DE' } }),
      buildSeries({ seed: 3, part: { name: 'country', value: 'FR' }, ...slow }),
    );
    expect(change?.series.part).toEqual({ name: 'country', value: 'FR' });
    expect(others).toEqual([]);
  });

  test('reports a change in all countries as a change of the endpoint', () => {
    const slow = { slower: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 4 : 1) };
    const changes = find(
      buildSeries({ seed: 1, busiest: 120, ...slow }),
      buildSeries({ seed: 2, part: { name: 'country', value: 'DE' }, ...slow }),
      buildSeries({ seed: 3, part: { name: 'country', value: 'FR' }, ...slow }),
    );
    expect(changes.map(({ series }) => series.part)).toEqual([null]);
  });

  test('reports a change at several endpoints of a service once, and names the other endpoints', () => {
    const silent = { traffic: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 0 : 1) };
    const changes = find(
      buildSeries({ seed: 1, busiest: 90, ...silent }),
      buildSeries({ seed: 2, path: '/users', ...silent }),
    );
    expect(changes.map(({ series, also }) => [series.path, also.map(({ path }) => path)])).toEqual([
      ['/orders', ['/users']],
    ]);
  });

  test('reports changes of two endpoints separately if one began a day earlier', () => {
    const slow = (start: number) => ({ slower: (hour: number) => (hour >= start ? 4 : 1) });
    const changes = find(
      buildSeries({ seed: 1, busiest: 90, ...slow(NOON_OF_LAST_DAY) }),
      buildSeries({ seed: 2, path: '/users', ...slow(NOON_OF_LAST_DAY - 26) }),
    );
    expect(changes.map(({ series, also }) => [series.path, also]).sort()).toEqual([
      ['/orders', []],
      ['/users', []],
    ]);
  });

  test('does not attribute a change to a tenant if the other tenants fail more often, too', () => {
    const fails = (rate: number) => ({
      errors: (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? rate : 0.01),
    });
    const changes = find(
      buildSeries({ seed: 1, busiest: 160, ...fails(0.2) }),
      buildSeries({ seed: 2, part: { name: 'attribute', value: 'tenant:acme' }, busiest: 60, ...fails(0.3) }),
      buildSeries({ seed: 3, part: { name: 'attribute', value: 'tenant:stark' }, busiest: 3 }),
    );
    expect(changes.map(({ series }) => series.part)).toEqual([null]);
  });

  test('finds that the traffic fell to a quarter, although the first day with less traffic is part of the history', () => {
    const start = NOON_OF_LAST_DAY - 36;
    const changes = find(buildSeries({ seed: 4, traffic: (hour) => (hour >= start ? 0.25 : 1) }));
    expect(changes.map(({ signal }) => signal)).toEqual(['requests']);
    expect(Math.abs((changes[0]?.start ?? 0) - start)).toBeLessThanOrEqual(3);
  });

  describe('of an endpoint with a change in its traffic', () => {
    const late = since(NOON_OF_LAST_DAY);
    const sum = (...parts: readonly HourSeries[]): HourSeries => {
      const [first] = parts;
      if (first === undefined) throw new Error('there are no parts');
      const hours = new Map<number, Hour>();
      for (const part of parts)
        for (const [at, hour] of part.hours) {
          const { errors = 0, histogram = new Map() } = hours.get(at) ?? {};
          const merged = new Map(histogram);
          for (const [bucket, count] of hour.histogram) merged.set(bucket, (merged.get(bucket) ?? 0) + count);
          hours.set(at, { errors: errors + hour.errors, histogram: merged });
        }
      return { ...first, part: null, signals: [...first.signals, 'requests'], hours };
    };
    const user = (value: string, habits: Omit<Habits, 'part'>) =>
      buildSeries({ ...habits, part: { name: 'user', value } });
    const country = (value: string, habits: Omit<Habits, 'part'>) =>
      buildSeries({ ...habits, part: { name: 'country', value } });
    const describeFound = (found: ReturnType<typeof find>) =>
      found.map(({ signal, series: { part }, before, after }) => ({
        signal,
        part,
        isSpike: after > before,
      }));

    test('names the user whose requests alone cause the spike', () => {
      const usual = user('u-1', { seed: 31 });
      const others = country('DE', { seed: 32 });
      const crawler = user('u-9', { seed: 33, busiest: 500, traffic: (hour) => (late(hour) ? 1 : 0) });
      const found = find(sum(usual, others, crawler), usual, others, crawler);
      expect(describeFound(found)).toEqual([
        { signal: 'requests', part: { name: 'user', value: 'u-9' }, isSpike: true },
      ]);
      expect(found[0]).toMatchObject({ before: 0, requestsBefore: 0 });
    });

    test('names the country from which no more requests come', () => {
      const germany = country('DE', { seed: 34, busiest: 25 });
      const france = country('FR', { seed: 35, busiest: 90, traffic: (hour) => (late(hour) ? 0 : 1) });
      expect(describeFound(find(sum(germany, france), germany, france))).toEqual([
        { signal: 'requests', part: { name: 'country', value: 'FR' }, isSpike: false },
      ]);
    });

    test('names no part of the requests if the other requests become fewer, too', () => {
      const fewer = (hour: number) => (late(hour) ? 0.1 : 1);
      const germany = country('DE', { seed: 36, traffic: fewer });
      const france = country('FR', { seed: 37, traffic: fewer });
      expect(describeFound(find(sum(germany, france), germany, france))).toEqual([
        { signal: 'requests', part: null, isSpike: false },
      ]);
    });

    test('names no part of the requests if there are too few other requests to know their usual number', () => {
      const rare = country('DE', { seed: 38, busiest: 0.2 });
      const france = country('FR', { seed: 39, traffic: (hour) => (late(hour) ? 0.1 : 1) });
      expect(describeFound(find(sum(rare, france), rare, france))).toEqual([
        { signal: 'requests', part: null, isSpike: false },
      ]);
    });
  });

  test('names the only user whose requests are slower', () => {
    const slow = (hour: number) => (since(NOON_OF_LAST_DAY)(hour) ? 4 : 1);
    const whole = buildSeries({ seed: 40, busiest: 200 });
    const one = buildSeries({ seed: 41, busiest: 40, slower: slow, part: { name: 'user', value: 'u-9' } });
    expect(find(whole, one).map(({ series: { part } }) => part)).toEqual([{ name: 'user', value: 'u-9' }]);
  });

  test("compares an endpoint that is younger than the history with the days since the endpoint's first request", () => {
    const all = buildSeries({ seed: 5, traffic: (hour) => (hour >= NOON_OF_LAST_DAY ? 0 : 1) });
    const hours = new Map([...all.hours].filter(([hour]) => hour >= 80));
    expect(find({ ...all, hours }).map(({ signal, after }) => [signal, after])).toEqual([['requests', 0]]);
  });

  test('does not report a dependency if only the mean of its last hour is higher', () => {
    const mean = (at: number) =>
      Math.floor(Math.log((at >= SPAN.until ? 50_000 : 20_000) + 1) / Math.log(BUCKET_RATIO));
    const hours = new Map(
      Array.from({ length: SPAN.until + 1 }, (_, at): [number, Hour] => [
        at,
        { errors: 0, histogram: new Map([[mean(at), 40]]) },
      ]),
    );
    const part = { name: 'dependency', value: 'postgresql' } as const;
    const series = { service: 'shop', environment: 'production', method: '', path: '', part, hours };
    expect(find({ ...series, signals: ['p50'] })).toEqual([]);
  });

  test('finds nothing in data that covers only one day', () => {
    const all = buildSeries({ seed: 5, slower: (hour) => (hour >= NOON_OF_LAST_DAY ? 4 : 1) });
    const hours = new Map([...all.hours].filter(([hour]) => hour >= SPAN.until - 12));
    expect(find({ ...all, hours })).toEqual([]);
  });
});

test('changes found in arbitrary data are within the range and have valid probabilities', () => {
  const hour = fc.tuple(
    fc.integer({ min: 0, max: SPAN.until }),
    fc.integer({ min: 0, max: 400 }),
    fc.integer({ min: 1, max: 1000 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(hour, { maxLength: 200 }), (given) => {
      const hours = new Map(
        given.map(([at, bucket, count, share]): [number, Hour] => [
          at,
          { errors: Math.floor(count * share), histogram: new Map([[bucket, count]]) },
        ]),
      );
      const signals: Signal[] = [
        'p50',
        'p95',
        'p99',
        'errorRate',
        'requests',
        'memory',
        'eventLoopDelay',
        'cacheMisses',
      ];
      const series = { service: '', environment: '', method: 'GET', path: '/', part: null, signals, hours };
      for (const { start, pValue, before, after } of find(series)) {
        expect(start).toBeGreaterThanOrEqual(SPAN.from);
        expect(start).toBeLessThanOrEqual(SPAN.until);
        expect(pValue).toBeGreaterThanOrEqual(0);
        expect(pValue).toBeLessThanOrEqual(1);
        expect(Number.isFinite(before) && Number.isFinite(after)).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});
