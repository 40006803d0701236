import { IngestTrace } from '@throughline/contract';
import { pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, makeProject, toLocalHour } from './habits.ts';
import { PROBLEMS } from './problems/index.ts';
import { forkRandom } from './random.ts';
import type { Request } from './request.ts';
import { generateRequests } from './requests.ts';
import { writeTrace } from './trace-of-request.ts';

const UNTIL_MS = Date.parse('2026-03-05T17:20:00Z');
const project = makeProject(7, UNTIL_MS);
const healthy = generateRequests(project);
const isLive = ({ environment }: Request) => environment === 'production';

function plant(kind: string) {
  const problem = PROBLEMS[kind]?.(project, forkRandom(project.seed, kind));
  if (problem === undefined) throw new Error(`no kind is called ${kind}`);
  const { habits } = problem;
  return {
    truth: problem.truth,
    requests: generateRequests(project, problem),
    // The requests of the same project without the problem. They have the problem's releases, if the problem replaces the project's
    // releases.
    usual: habits === undefined ? healthy : generateRequests(project, { habits }),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

test('the same seed generates the same requests, and different seeds generate different requests', () => {
  expect(generateRequests(makeProject(7, UNTIL_MS))).toEqual(healthy);
  expect(generateRequests(makeProject(8, UNTIL_MS))).not.toEqual(healthy);
});

test('the first 500 generated traces are valid by the contract', () => {
  for (const request of healthy.slice(0, 500)) IngestTrace.parse(writeTrace(project, request));
});

test('generated projects have sizes, a daily rhythm and an error rate in the intended ranges', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { endpoints, users, production } = makeProject(seed, UNTIL_MS);
    expect(endpoints.length).toBeGreaterThanOrEqual(4);
    expect(endpoints.length).toBeLessThanOrEqual(8);
    expect(users.length).toBeGreaterThanOrEqual(30);
    for (const { fromMs } of production.slice(1))
      expect(toLocalHour(makeProject(seed, UNTIL_MS), fromMs) % 24).toBeCloseTo(12);
  }
  const live = healthy.filter(isLive);
  expect(new Set(live.map(({ country }) => country)).size).toBe(3);
  expect(new Set(live.map(({ instance }) => instance)).size).toBe(3);
  const count = (has: (request: Request) => boolean) => live.filter(has).length;
  const inHours = (from: number, to: number) =>
    count(({ atMs }) => toLocalHour(project, atMs) % 24 >= from && toLocalHour(project, atMs) % 24 < to);
  expect(inHours(18, 22)).toBeGreaterThan(5 * inHours(1, 5));
  const errors = count(({ failure }) => failure !== null) / live.length;
  expect(errors).toBeGreaterThan(0.002);
  expect(errors).toBeLessThan(0.03);
  expect(healthy.length - live.length).toBeGreaterThan(100);
});

test('the generator has at least twenty kinds of problems', () => {
  expect(Object.keys(PROBLEMS).length).toBeGreaterThanOrEqual(20);
});

test.each(pickRows(Object.keys(PROBLEMS), { usually: 3 }))(
  'the problem %s changes production after its start, but not before',
  (kind) => {
    const { truth, requests, usual } = plant(kind);
    expect(truth.kind).toBe(kind);
    // The problem must start within the default range of the dashboard, which is today and the six days before.
    expect(truth.startMs).toBeGreaterThan(UNTIL_MS - 6 * DAY_MS);
    expect(truth.startMs).toBeLessThan(UNTIL_MS - 4 * HOUR_MS);
    const before = (all: readonly Request[]) => all.filter((one) => isLive(one) && one.atMs < truth.startMs);
    const since = (all: readonly Request[]) => all.filter((one) => isLive(one) && one.atMs >= truth.startMs);
    expect(before(requests)).toEqual(before(usual));
    expect(since(requests)).not.toEqual(since(usual));
    for (const { path } of truth.endpoints)
      expect(healthy.filter(({ endpoint }) => endpoint.path === path).length).toBeGreaterThan(500);
  },
);

test.each([
  ['slowerNow', 4],
  ['slowerSinceRelease', 2],
  ['hiddenByStaging', 1.8],
])("the problem %s makes its endpoint's own work %d times as slow", (kind, factor) => {
  const { truth, requests } = plant(kind);
  const read = (all: readonly Request[]) =>
    all
      .filter((one) => isLive(one) && one.atMs >= truth.startMs)
      .filter(({ endpoint }) => endpoint.path === truth.endpoints[0]?.path)
      .map(({ ownMs }) => ownMs);
  expect(median(read(requests)) / median(read(healthy))).toBeCloseTo(factor);
});

test.each(['slowerInMiddle', 'slowerOneRelease'])(
  'the problem %s makes its endpoint 1.5 to 2 times as slow, in working hours and at least half a day from each release',
  (kind) => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const one = makeProject(seed, UNTIL_MS);
      const problem = PROBLEMS[kind]?.(one, forkRandom(seed, kind));
      if (problem === undefined) throw new Error(`no kind is called ${kind}`);
      const { startMs, endpoints } = problem.truth;
      for (const { fromMs } of one.production)
        expect(Math.abs(fromMs - startMs)).toBeGreaterThanOrEqual(12 * HOUR_MS);
      expect(toLocalHour(one, startMs) % 24).toBeGreaterThanOrEqual(9);
      expect(toLocalHour(one, startMs) % 24).toBeLessThan(20);
      const request = generateRequests(one).find(
        ({ atMs, endpoint, environment }) =>
          atMs >= startMs && environment === 'production' && endpoint.path === endpoints[0]?.path,
      );
      if (request === undefined) throw new Error('nobody asked the endpoint');
      const usualMs = request.ownMs;
      problem.change?.(request, forkRandom(seed, 'chance'));
      expect(request.ownMs / usualMs).toBeGreaterThanOrEqual(1.5);
      expect(request.ownMs / usualMs).toBeLessThanOrEqual(2);
    }
  },
);

test.each(['errorWithQuotes', 'errorWithNames', 'otlpError'])(
  'nearly every failed request of the problem %s has a message of its own',
  (kind) => {
    const { truth, requests } = plant(kind);
    const messages = requests.flatMap(({ failure }) => (failure?.status === 500 ? [failure.message] : []));
    expect(messages.length).toBeGreaterThan(10);
    expect(new Set(messages).size).toBeGreaterThan(0.9 * messages.length);
    for (const message of messages) {
      expect(message).toContain(truth.names[0]);
      expect(truth.differing?.some((text) => message.includes(text))).toBe(true);
    }
  },
);

test.each([
  ['errorOfTenant', ({ tenant }: Request) => tenant],
  ['errorOfInstance', ({ instance }: Request) => instance],
])('all failed requests of the problem %s share the name that the finding must contain', (kind, readPart) => {
  const { truth, requests } = plant(kind);
  const failed = requests.filter(({ failure }) => failure?.status === 500);
  expect(failed.length).toBeGreaterThanOrEqual(7);
  expect([...new Set(failed.map(readPart))]).toEqual(truth.names);
});

test('a stopped endpoint gets no requests after the start of the problem', () => {
  const { truth, requests } = plant('trafficStops');
  const [endpoint] = truth.endpoints;
  const left = requests.filter((one) => isLive(one) && one.endpoint.path === endpoint?.path);
  expect(left.every(({ atMs }) => atMs < truth.startMs)).toBe(true);
});

test('the queries of generated sequential awaits run one after another, and all have the same parameters', () => {
  const { truth, requests } = plant('awaitsInRow');
  const one = requests.findLast((request) => isLive(request) && request.endpoint.path === '/account');
  if (one === undefined) throw new Error('nobody asked for the account');
  const steps = IngestTrace.parse(writeTrace(project, one)).flow.filter(
    ({ stepType }) => stepType === 'database',
  );
  expect(steps).toHaveLength(3);
  const starts = steps.map(({ startTime }) => Date.parse(startTime));
  const ends = steps.map(({ endTime }) => Date.parse(endTime ?? ''));
  expect(starts[1]).toBeGreaterThanOrEqual(ends[0] ?? Number.NaN);
  expect(starts[2]).toBeGreaterThanOrEqual(ends[1] ?? Number.NaN);
  expect(new Set(steps.map(({ inputs }) => JSON.stringify(Reflect.get(Object(inputs), 'values')))).size).toBe(
    1,
  );
  expect(one.atMs).toBeGreaterThan(truth.startMs);
});

test('a generated cache miss leads to database calls', () => {
  const { requests } = plant('cacheHitsDrop');
  const types = (hit: boolean) => {
    const one = requests.findLast((request) => isLive(request) && request.hit === hit);
    if (one === undefined) throw new Error('nobody asked the cache');
    return writeTrace(project, one).flow.map((step) => Reflect.get(step, 'stepType'));
  };
  expect(types(true)).not.toContain('database');
  expect(types(false)).toContain('database');
});
