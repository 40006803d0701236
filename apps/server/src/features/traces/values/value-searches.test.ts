import { MIN_MICROS, parseInstant } from '@throughline/contract';
import { aTrace, sendTraces } from '@throughline/testkit';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../platform/clock.ts';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import { openUnmigrated, type TraceStore } from '../../../platform/trace-store/index.ts';
import { readListQuery } from '../list/list-query.ts';
import { findHaving } from '../live/having-store.ts';
import { resolveBeside, resolveList, resolveWhole } from './resolve-searches.ts';
import { type SearchLimits, ValueSearches } from './value-searches.ts';

const scene = sceneOfFile();
const COUNT = 60;
const startMs = Date.now() - 600_000;
const formatStart = (index: number) => new Date(startMs + index * 1000).toISOString();

const aLevel = (level: string, index: number) =>
  aTrace({
    request: { method: 'GET', path: `/${index}`, body: { level } as never },
    timing: { startTime: formatStart(index), duration: 5 },
  });

let store: TraceStore;

/** Stores requests that started a second apart, oldest first. Every third request has the searched value. */
beforeAll(async () => {
  store = await openUnmigrated(scene.server.config);
  const traces = Array.from({ length: COUNT }, (_, index) =>
    aLevel(index % 3 === 0 ? 'gold' : 'free', index),
  );
  await sendTraces(scene.server, scene.project.apiKey, traces);
});

afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => store.close());

const projectsWith = (written: string) => {
  const id = readId<ProjectId>(written);
  if (id === undefined) throw new Error('there is no project');
  return [{ id, shownSince: 0n }];
};
const projects = () => projectsWith(scene.project.id);
const createSearches = (limits: Partial<SearchLimits>, clock = systemClock) =>
  new ValueSearches(store, clock, { maxMs: 0, maxMatches: 1000, windowTraces: 10, ...limits });
const gold = readListQuery({ value: 'body.level=gold', limit: 50, sort: 'time', timeZone: 'UTC' });
const owner = 'somebody';

/** Makes each statement take some time on the clock of the search. Returns a function that lets more time pass. */
function slowDown(statementMs = 800) {
  const now = performance.now.bind(performance);
  const rowsBeside = store.rowsBeside.bind(store);
  let laterMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  vi.spyOn(store, 'rowsBeside').mockImplementation((...statement) => {
    laterMs += statementMs;
    return rowsBeside(...statement);
  });
  return (ms: number) => {
    laterMs += ms;
  };
}

const NO_ID = '00000000-0000-7000-8000-000000000000';
const FORGOTTEN_MS = 6 * 60_000;

describe('a search over captured values', () => {
  test('stops at its time limit, and further requests continue it until everything is searched', async () => {
    const searches = createSearches({});
    const counts: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const { query, search } = await searches.resolve(projects(), gold, { owner, continues: true });
      counts.push(query.found?.length ?? 0);
      if (search === undefined) break;
      expect(search.limit).toBe('time');
      expect(query.from).toBe(parseInstant(search.since));
    }
    // The first window contains the requests 59 to 50, of which 57, 54 and 51 match.
    expect(counts.find((count) => count > 0)).toBe(3);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1)).toBe(COUNT / 3);
    expect(counts.length).toBeGreaterThan(1);
  });

  test('continues to older traces although searching the last two minutes alone exceeds the time limit', async () => {
    // All 60 traces are of the last two minutes. Each statement takes so long that one request searches only one window.
    slowDown();
    const clock = { ...systemClock, nowMicros: () => BigInt(startMs + COUNT * 1000) * 1000n };
    const searches = createSearches({}, clock);
    const starts: (string | undefined)[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const { search } = await searches.resolve(projects(), gold, { owner, continues: true });
      starts.push(search?.since);
    }
    expect(starts.map((start) => start && (Date.parse(start) - startMs) / 1000)).toEqual([50, 10, 0]);
    const { query, search } = await searches.resolve(projects(), gold, { owner, continues: true });
    expect(search).toBeUndefined();
    expect(query.found).toHaveLength(COUNT / 3);
  });

  test('searches more requests at a time although statements are slow, as long as the requests have few steps', async () => {
    slowDown();
    const searches = createSearches({ windowTraces: 12 });
    await searches.resolve(projects(), gold, { owner, continues: true });
    const { query } = await searches.resolve(projects(), gold, { owner, continues: true });
    // The first window contains 12 requests, and the second window has four times as many requests.
    expect(query.found).toHaveLength(COUNT / 3);
  });

  test('is continued only by the list, not by the charts of the list', async () => {
    const searches = createSearches({});
    const first = await searches.resolve(projects(), gold, { owner, continues: true });
    expect(await searches.resolve(projects(), gold, { owner, continues: false })).toEqual(first);
  });

  test('finds only the newest matches if there are too many', async () => {
    const searches = createSearches({ maxMs: 60_000, maxMatches: 7 });
    const { query, search } = await searches.resolve(projects(), gold, { owner, continues: true });
    // The requests 57, 54, … 39 match; request 36 would be the eighth match.
    expect(query.found).toHaveLength(7);
    expect(search).toEqual({ since: formatStart(36).replace('Z', '001Z'), limit: 'matches' });
    await expect(resolveWhole(searches, { projects: projects(), query: gold, owner })).rejects.toThrow(
      'More than 7 requests have this value. Select a shorter time range.',
    );
  });

  test('searches only the selected time', async () => {
    const range = {
      ...gold,
      from: BigInt(Date.parse(formatStart(10))) * 1000n,
      until: BigInt(Date.parse(formatStart(20))) * 1000n,
    };
    const query = await resolveWhole(createSearches({}), { projects: projects(), query: range, owner });
    expect(query.found).toHaveLength(3);
    expect(query.from).toBe(range.from);
  });

  test('refuses a further page if the search was forgotten, until the search has reached that page again', async () => {
    const wait = slowDown();
    const searches = createSearches({});
    const searching = { projects: projects(), query: gold, owner };
    let list = await resolveList(searches, searching);
    while (list.search !== undefined) list = await resolveList(searches, searching);
    const searchedSince = list.query.from ?? MIN_MICROS;
    const after = {
      sort: 'time',
      startMicros: BigInt(startMs) * 1000n,
      rank: 0n,
      id: NO_ID,
      searchedSince,
    } as const;
    const further = { ...searching, query: { ...gold, after } };
    expect((await resolveList(searches, further)).query.found).toHaveLength(COUNT / 3);
    wait(FORGOTTEN_MS);
    const refusal =
      /^The search for this value was started again, and has searched back to 2\d{3}-.*Z\. Send the request again/;
    await expect(resolveList(searches, further)).rejects.toThrow(refusal);
    let answered: Awaited<ReturnType<typeof resolveList>> | undefined;
    for (let turn = 0; turn < 30 && answered === undefined; turn += 1) {
      answered = await resolveList(searches, further).catch((error: unknown) => {
        expect(String(error)).toMatch(/Send the request again/);
        return undefined;
      });
    }
    expect(answered?.query.found).toHaveLength(COUNT / 3);
  });

  test('covers the same time for the stats as for the list; after the search was forgotten, covers less until the new search has caught up', async () => {
    const wait = slowDown();
    const searches = createSearches({});
    const searching = { projects: projects(), query: gold, owner };
    await resolveList(searches, searching);
    const { query, search } = await resolveList(searches, searching);
    expect((await resolveBeside(searches, searching, search?.since)).query).toEqual(query);
    wait(FORGOTTEN_MS);
    const since = (each: typeof search) => Date.parse(each?.since ?? '');
    const first = await resolveBeside(searches, searching, search?.since);
    expect(since(first.search)).toBeGreaterThan(since(search));
    const second = await resolveBeside(searches, searching, search?.since);
    expect(second).toEqual({ query, search: undefined });
  });

  test('never covers more time for the stats than for the list', async () => {
    const searches = createSearches({ maxMs: 60_000 });
    const searching = { projects: projects(), query: gold, owner };
    expect((await resolveBeside(searches, searching, undefined)).query.from).toBeUndefined();
    const since = formatStart(30).replace('Z', '000Z');
    const { query, search } = await resolveBeside(searches, searching, since);
    expect(search).toBeUndefined();
    expect(query.from).toBe(parseInstant(since));
  });

  test('keeps older matches if more requests arrive than one API request can search', async () => {
    const { project } = await newcomer(scene.server);
    const send = (from: number, to: number) =>
      sendTraces(
        scene.server,
        project.apiKey,
        Array.from({ length: to - from }, (_, index) => aLevel('gold', from + index)),
      );
    let second = 30;
    const clock = { ...systemClock, nowMicros: () => BigInt(startMs + second * 1000) * 1000n };
    const searches = createSearches({}, clock);
    const searchAll = async () => {
      const counts: number[] = [];
      for (let turn = 0; turn < 20; turn += 1) {
        const own = projectsWith(project.id);
        const { query, search } = await searches.resolve(own, gold, { owner, continues: true });
        counts.push(query.found?.length ?? 0);
        if (search === undefined) break;
      }
      return counts;
    };
    await send(0, 30);
    slowDown();
    expect((await searchAll()).at(-1)).toBe(30);
    second = 90;
    await send(30, 90);
    const counts = await searchAll();
    // Each search returns the 30 matches that were found before, and at least 20 of the new requests, which is the smallest window.
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(50);
    expect(counts.at(-1)).toBe(90);
  });

  test.each(['value:body.level=gold', '-value:body.level=gold'])(
    'finds a request that arrives late although there are too many matches: %s',
    async (q) => {
      const { project } = await newcomer(scene.server);
      const own = projectsWith(project.id);
      const send = (indexes: readonly number[]) =>
        sendTraces(
          scene.server,
          project.apiKey,
          indexes.map((index) => aLevel('gold', index)),
        );
      const clock = { ...systemClock, nowMicros: () => BigInt(startMs + 40_000) * 1000n };
      const searches = createSearches({ maxMs: 60_000, maxMatches: 7 }, clock);
      const list = async () => {
        const query = readListQuery({ q, limit: 50, sort: 'time', timeZone: 'UTC' });
        const { query: resolved } = await searches.resolve(own, query, { owner, continues: true });
        return new Set(resolved.found ?? resolved.without);
      };
      await send(Array.from({ length: 10 }, (_, index) => index));
      const before = await list();
      await send([30]);
      expect([...(await list())].filter((id) => !before.has(id))).toHaveLength(1);
    },
  );

  test('fails for a live feed if the time limit is too short to search all new requests, instead of returning only some matches', async () => {
    const { project } = await newcomer(scene.server);
    const traces = Array.from({ length: 501 }, (_, index) => aLevel('gold', index));
    await sendTraces(scene.server, project.apiKey, traces);
    const own = projectsWith(project.id);
    const rows = await store.rows(
      z.object({ id: z.string() }),
      'SELECT id FROM traces WHERE project_id = {project:UUID}',
      { project: project.id },
    );
    const ids = rows.map(({ id }) => id);
    expect(await findHaving(store, ids, own, gold)).toEqual(new Set(ids));
    slowDown(6000);
    await expect(findHaving(store, ids, own, gold)).rejects.toThrow(
      'the search for captured values took too long',
    );
  });
});
