import { expect, it } from 'vitest';
import { readFields } from '../input.ts';
import { readHistory } from './history.ts';
import { compareSpeed, measureWork } from './machine-speed.ts';
import { planHistory, playVisit } from './plan.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNTIL = new Date('2026-11-20T18:20:00Z');

const { visits: recorded } = await readHistory();
const planned = planHistory(recorded, UNTIL);
const getStart = ({ starts }: (typeof planned)[number]) => starts[0] ?? 0;

it('the recorded history covers two releases, three countries and thirty users', () => {
  const traces = recorded.flatMap((visit) => visit.traces);
  const countries = traces.map(({ request }) => readFields(readFields(request).headers)['cf-ipcountry']);
  const users = traces.flatMap(({ user }) => readFields(user).id ?? []);
  expect([...new Set(recorded.map(({ service }) => service.release))]).toEqual(['1.4.0', '1.5.0']);
  expect([...new Set(countries)].sort()).toEqual(['DE', 'FR', 'GB']);
  expect(new Set(users).size).toBe(30);
});

it('the recorded history contains no folders of the machine that recorded it, and no card number', () => {
  const text = JSON.stringify(recorded);
  for (const word of ['/home/', '/work/', '/tmp/', 'file:///Users', '4242 4242'])
    expect(text).not.toContain(word);
});

it('each file in the stack of a recorded error is among the sources of the trace, so that the page can show the line that threw', () => {
  const missing = new Set<string>();
  for (const trace of recorded.flatMap((visit) => visit.traces)) {
    const text = JSON.stringify(trace);
    const files = new Set(Array.from(text.matchAll(/"file":"([^"]+)"/g), ([, file]) => file));
    for (const [, file = ''] of text.matchAll(/\/shop\/((?!node_modules|packages)[\w./-]+\.ts):\d+:\d+/g))
      if (!files.has(file)) missing.add(file);
  }
  expect([...missing]).toEqual([]);
});

it('the planned history covers two weeks with one change of release, and the same end time always gives the same plan', () => {
  expect(planHistory(recorded, UNTIL)).toEqual(planned);
  const [first, last] = [
    Math.min(...planned.map(getStart)),
    Math.max(...planned.flatMap(({ starts }) => starts)),
  ];
  expect(UNTIL.getTime() - first).toBeGreaterThan(13.5 * DAY_MS);
  expect(UNTIL.getTime() - first).toBeLessThanOrEqual(14 * DAY_MS);
  expect(UNTIL.getTime() - last).toBeGreaterThan(0);
  expect(UNTIL.getTime() - last).toBeLessThan(2 * HOUR_MS);
  const of = (release: string) => planned.filter(({ visit }) => visit.service.release === release);
  const lastBefore = Math.max(...of('1.4.0').flatMap(({ starts }) => starts));
  expect(lastBefore).toBeLessThan(Math.min(...of('1.5.0').map(getStart)));
});

it('the planned history includes all thirty users', () => {
  const users = planned.flatMap(({ visit }) => visit.traces).flatMap(({ user }) => readFields(user).id ?? []);
  expect(new Set(users).size).toBe(30);
});

it('the planned history has quiet nights and busy evenings', () => {
  const within = (from: number, to: number) =>
    planned.filter((visit) => {
      const hour = new Date(getStart(visit)).getHours();
      return hour >= from && hour < to;
    }).length;
  expect(within(18, 22)).toBeGreaterThan(8 * within(1, 5));
});

it('the first eighth of the planned visits is spread over all of the two weeks', () => {
  const days = (visits: typeof planned) =>
    new Set(visits.map((visit) => Math.floor((UNTIL.getTime() - getStart(visit)) / DAY_MS)));
  expect([...days(planned.slice(0, Math.ceil(planned.length / 8)))].sort()).toEqual(
    [...days(planned)].sort(),
  );
});

it('a replayed visit has a new start time and new ids, and is otherwise unchanged', () => {
  const [one] = planned;
  if (one === undefined) throw new Error('nothing is planned');
  const traces = playVisit(one, 1);
  expect(playVisit(one, 1)).toEqual(traces);
  const all = planned.flatMap((visit) => playVisit(visit, 1));
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length);
  for (const [place, trace] of traces.entries()) {
    const was = one.visit.traces[place];
    const shiftMs = Date.parse(trace.timing.startTime) - Date.parse(was?.timing.startTime ?? '');
    expect(Date.parse(trace.timing.startTime)).toBe(one.starts[place]);
    expect(trace.flow.map((step) => Date.parse(step.startTime) - shiftMs)).toEqual(
      was?.flow.map((step) => Date.parse(step.startTime)),
    );
    const own = {
      traceId: '',
      spanId: '',
      sessionId: '',
      timing: { duration: trace.timing.duration },
      flow: [],
      _id: '',
    };
    expect({ ...trace, ...own }).toEqual({ ...was, ...own });
  }
});

it('a visit replayed at half the speed has doubled durations of requests, steps and call aggregates, and its steps stay in order', () => {
  const slow = planned.find(({ visit }) =>
    visit.traces.some(({ flow }) => flow.some(({ repeat }) => repeat !== undefined)),
  );
  if (slow === undefined) throw new Error('no visit has repeated calls');
  const normal = playVisit(slow, 1);
  for (const [place, trace] of playVisit(slow, 2).entries()) {
    const was = normal[place];
    expect(trace.timing.startTime).toBe(was?.timing.startTime);
    expect(trace.timing.duration).toBeCloseTo(2 * (was?.timing.duration ?? 0), 2);
    const startMs = Date.parse(trace.timing.startTime);
    for (const [index, step] of trace.flow.entries()) {
      const before = was?.flow[index];
      if (before === undefined) throw new Error('a step is missing');
      // Date.parse drops the microseconds, so the offsets that are compared can differ by up to 2 ms.
      const offset = (instant: string) => Date.parse(instant) - startMs;
      expect(Math.abs(offset(step.startTime) - 2 * offset(before.startTime))).toBeLessThanOrEqual(2);
      expect(Math.abs(offset(step.endTime) - 2 * offset(before.endTime))).toBeLessThanOrEqual(2);
      expect(step.duration).toBeCloseTo(2 * before.duration, 2);
      if (before.repeat !== undefined) expect(step.repeat?.sumMs).toBeCloseTo(2 * before.repeat.sumMs, 2);
    }
  }
});

it.each([
  ['half as fast', 2, 2],
  ['as fast, apart from noise', 1.1, 1],
  ['faster', 0.3, 1],
  ['extremely slow', 400, 20],
])('the history is replayed with the right factor on a machine that is %s', (_machine, workMs, slowdown) => {
  expect(compareSpeed(workMs, 1)).toBe(slowdown);
});

it('two measurements of the same machine differ by a factor below the maximum slowdown', () => {
  const [one, other] = [measureWork(), measureWork()];
  expect(one).toBeGreaterThan(0);
  expect(Math.max(one, other) / Math.min(one, other)).toBeLessThan(20);
});
