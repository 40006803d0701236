import { type ProjectStats, parseInstant, routes } from '@throughline/contract';
import { aTrace, makeProject, type Person, refusal, sendTraces, signUp } from '@throughline/testkit';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const scene = sceneOfEachTest();

/** A time within the last hour, because a trial stores traces for an hour. */
const BASE_MS = Math.floor(Date.now() / 1000) * 1000 - 1_800_000;
const at = (second: number) => new Date(BASE_MS + second * 1000).toISOString();

const micros = (instant: string) => parseInstant(instant) ?? 0n;

const figures = (person: Person, query: Record<string, string | number>) =>
  person.client.call(routes.traces.figures, { query: query as never });

interface Row {
  readonly method: string;
  readonly statusCode: number | null;
  readonly second: number;
  readonly duration: number;
}
const row: fc.Arbitrary<Row> = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  statusCode: fc.constantFrom(null, 200, 302, 404, 500),
  second: fc.integer({ min: 0, max: 600 }),
  duration: fc.oneof(
    fc.constantFrom(0, 0.001, 1000, 3e10),
    fc.integer({ min: 0, max: 5_000_000 }).map((micros) => micros / 1000),
  ),
});

const stored = (rows: readonly Row[]) =>
  rows.map(({ method, statusCode, second, duration }) =>
    aTrace({
      request: { method, path: '/orders' },
      response: { statusCode },
      timing: { startTime: at(second), duration },
    }),
  );

function naive(rows: readonly Row[]): ProjectStats {
  const failed = rows.filter(({ statusCode }) => statusCode === null || statusCode >= 400).length;
  const tookMicros = rows.reduce((sum, { duration }) => sum + Math.round(duration * 1000), 0);
  return {
    totalTraces: rows.length,
    successRate: rows.length === 0 ? null : (100 * (rows.length - failed)) / rows.length,
    errorCount: failed,
    avgDuration: rows.length === 0 ? null : tookMicros / rows.length / 1000,
  };
}

describe('stats of a list', () => {
  test('equal the stats computed from an array of all traces: in total, per time bucket, and for the previous period', async () => {
    // The first row is the oldest trace. A previous period that would begin before this trace is not compared.
    const rows: readonly Row[] = [
      { method: 'GET', statusCode: 200, second: 0, duration: 5 },
      ...fc.sample(row, 150),
    ];
    await sendTraces(scene.server, scene.project.apiKey, stored(rows));
    const query = fc.record(
      {
        method: fc.constantFrom('GET', 'POST'),
        status: fc.constantFrom('success', 'error'),
        startDate: fc.integer({ min: 0, max: 400 }),
        endDate: fc.integer({ min: 401, max: 700 }),
        pieces: fc.constantFrom(1, 2, 7, 200),
      },
      { requiredKeys: ['pieces'] },
    );
    await fc.assert(
      fc.asyncProperty(query, async ({ startDate, endDate, ...asked }) => {
        const found = await figures(scene.person, {
          projectId: scene.project.id,
          ...asked,
          ...(startDate !== undefined && { startDate: at(startDate) }),
          ...(endDate !== undefined && { endDate: at(endDate) }),
        });
        const matching = rows.filter(
          ({ method, statusCode }) =>
            (asked.method === undefined || method === asked.method) &&
            (asked.status === undefined ||
              (statusCode === null || statusCode >= 400) === (asked.status === 'error')),
        );
        const within = (from: string, until: string) =>
          naive(
            matching.filter(
              ({ second }) => micros(at(second)) >= micros(from) && micros(at(second)) < micros(until),
            ),
          );
        const first = startDate === undefined ? at(0) : at(startDate);
        const last = endDate === undefined ? at(100_000) : at(endDate + 1);
        expect(found.figures).toEqual(within(first, last));
        expect(found.pieces.length).toBeLessThanOrEqual(asked.pieces);
        for (const [index, { from, to, ...piece }] of found.pieces.entries()) {
          expect(piece).toEqual(within(from, to));
          if (index > 0) expect(from).toBe(found.pieces[index - 1]?.to);
        }
        const counted = found.pieces.reduce((sum, { totalTraces }) => sum + totalTraces, 0);
        expect(counted).toBe(found.figures.totalTraces);
        // Without an end, the period lasts until now. The period before would begin earlier than the oldest stored trace.
        const earlier = startDate === undefined || endDate === undefined ? -1 : 2 * startDate - endDate;
        expect(found.before).toEqual(
          startDate === undefined || earlier < 1
            ? null
            : naive(matching.filter(({ second }) => second >= earlier && second < startDate)),
        );
      }),
      { numRuns: repetitions({ usually: 8, thoroughly: 20 }) },
    );
  }, 60_000);

  test('include traces up to the time of the query if the range has no end date', async () => {
    const { server, person, project } = scene;
    await sendTraces(server, project.apiKey, [aTrace()]);
    const startDate = at(0);
    const [asked, before] = [{ projectId: project.id, startDate, pieces: 3 }, Date.now()];
    const found = await figures(person, asked);
    expect(found.pieces[0]?.from).toBe(startDate.replace('Z', '000Z'));
    expect(Date.parse(found.pieces.at(-1)?.to ?? '')).toBeGreaterThanOrEqual(before);
    expect(found.pieces.map(({ totalTraces }) => totalTraces)).toEqual([0, 0, 1]);
    // The clock of this trace's sender is ahead. The trace counts in the newest bucket.
    const ahead = { startTime: new Date(Date.now() + 60_000).toISOString(), duration: 1 };
    await sendTraces(server, project.apiKey, [aTrace({ timing: ahead })]);
    expect((await figures(person, asked)).pieces.at(-1)).toMatchObject({ totalTraces: 2 });
    expect((await figures(person, { ...asked, startDate: at(7200) })).figures.totalTraces).toBe(0);
  });

  test('have no previous period if traces of that period are no longer stored', async () => {
    const { server, person, project } = scene;
    const asked = { projectId: project.id, startDate: at(300), endDate: at(400) };
    expect((await figures(person, asked)).before).toBeNull();
    await sendTraces(
      server,
      project.apiKey,
      stored([{ method: 'GET', statusCode: 200, second: 250, duration: 1 }]),
    );
    // The oldest stored trace started in the middle of the previous period (seconds 200 to 300).
    expect((await figures(person, asked)).before).toBeNull();
    await sendTraces(
      server,
      project.apiKey,
      stored([{ method: 'GET', statusCode: 500, second: 100, duration: 1 }]),
    );
    expect((await figures(person, asked)).before).toEqual(
      naive([{ method: 'GET', statusCode: 200, second: 250, duration: 1 }]),
    );
    // Traces from the start of the previous period have expired, because a trial stores traces for an hour.
    expect((await figures(person, { ...asked, startDate: at(-1000), endDate: at(400) })).before).toBeNull();
  });

  test("cover all projects of the caller if the query names no project, and never another user's project", async () => {
    const { server, person, project } = scene;
    const other = await newcomer(server);
    await sendTraces(server, project.apiKey, [aTrace(), aTrace()]);
    await sendTraces(server, other.project.apiKey, [aTrace()]);
    expect((await figures(person, {})).figures.totalTraces).toBe(2);
    expect(await refusal(figures(person, { projectId: other.project.id }))).toMatchObject({ status: 404 });
    const nothing = { totalTraces: 0, successRate: null, errorCount: 0, avgDuration: null };
    expect(await figures(await signUp(server), {})).toEqual({ figures: nothing, before: null, pieces: [] });
    const empty = await makeProject(await signUp(server), 'empty');
    expect(await refusal(figures(person, { projectId: empty.id }))).toMatchObject({ status: 404 });
  });

  test.each([
    [{ pieces: 0 }, 'pieces'],
    [{ pieces: 201 }, 'pieces'],
    [{ status: 'broken' }, 'status'],
    [{ startDate: '2026-02-02', endDate: '2026-02-01' }, 'endDate'],
  ])('with an invalid query are rejected with the name of the field: %o', async (asked, field) => {
    const refused = await refusal(figures(scene.person, asked));
    expect(refused.status).toBe(400);
    expect(refused.details?.fields?.map(({ path }) => path)).toContain(field);
  });
});
