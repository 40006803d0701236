import { instantToMicros } from '@throughline/contract';
import { aTrace, sendTraces } from '@throughline/testkit';
import { sceneOfFile } from '@throughline/testkit/scene';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import { openUnmigrated, type TraceStore } from '../../../platform/trace-store/index.ts';
import { readListQuery } from '../list/list-query.ts';
import { type SearchLimits, ValueSearches } from './value-searches.ts';

const scene = sceneOfFile();
const COUNT = 60;
const startMs = Date.now() - 600_000;
const formatStart = (index: number) => new Date(startMs + index * 1000).toISOString();

let store: TraceStore;

/** Requests a second apart, oldest first. Every third has the value. */
beforeAll(async () => {
  store = await openUnmigrated(scene.server.config);
  const traces = Array.from({ length: COUNT }, (_, index) =>
    aTrace({
      request: {
        method: 'GET',
        path: `/${index}`,
        body: { level: index % 3 === 0 ? 'gold' : 'free' } as never,
      },
      timing: { startTime: formatStart(index), duration: 5 },
    }),
  );
  await sendTraces(scene.server, scene.project.apiKey, traces);
});

afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => store.close());

const projects = () => {
  const id = readId<ProjectId>(scene.project.id);
  if (id === undefined) throw new Error('there is no project');
  return [{ id, shownSince: 0n }];
};
const createSearches = (limits: Partial<SearchLimits>, clock = systemClock) =>
  new ValueSearches(store, clock, { maxMs: 0, maxMatches: 1000, windowTraces: 10, ...limits });
const gold = readListQuery({ value: 'body.level=gold', limit: 50, sort: 'time', timeZone: 'UTC' });
const owner = 'somebody';

describe('a search over captured values', () => {
  test('stops at its time limit, and the next request continues it until everything is searched', async () => {
    const searches = createSearches({});
    const counts: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const { query, search } = await searches.resolve(projects(), gold, { owner, continues: true });
      counts.push(query.found?.length ?? 0);
      if (search === undefined) break;
      expect(search.limit).toBe('time');
      expect(query.from).toBe(instantToMicros(search.since));
    }
    // The first window contains the requests 59 to 50, of which 57, 54 and 51 match.
    expect(counts.find((count) => count > 0)).toBe(3);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1)).toBe(COUNT / 3);
    expect(counts.length).toBeGreaterThan(1);
  });

  test('goes further back although the last two minutes do not fit into its time limit', async () => {
    // Each statement takes so long that a request searches 20 of the 60 traces, which are all of the last two minutes.
    const now = performance.now.bind(performance);
    const rowsBeside = store.rowsBeside.bind(store);
    let laterMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
    vi.spyOn(store, 'rowsBeside').mockImplementation((...statement) => {
      laterMs += 800;
      return rowsBeside(...statement);
    });
    const clock = { ...systemClock, nowMicros: () => BigInt(startMs + COUNT * 1000) * 1000n };
    const searches = createSearches({}, clock);
    const starts: (string | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const { search } = await searches.resolve(projects(), gold, { owner, continues: true });
      starts.push(search?.since);
    }
    expect(starts.map((start) => start && (Date.parse(start) - startMs) / 1000)).toEqual([50, 30, 10, 0]);
    const { query, search } = await searches.resolve(projects(), gold, { owner, continues: true });
    expect(search).toBeUndefined();
    expect(query.found).toHaveLength(COUNT / 3);
  });

  test('is not continued by the charts of the list, which show what the list has found', async () => {
    const searches = createSearches({});
    const first = await searches.resolve(projects(), gold, { owner, continues: true });
    expect(await searches.resolve(projects(), gold, { owner, continues: false })).toEqual(first);
  });

  test('finds the newest matches if there are too many', async () => {
    const searches = createSearches({ maxMs: 60_000, maxMatches: 7 });
    const { query, search } = await searches.resolve(projects(), gold, { owner, continues: true });
    // The requests 57, 54, … 39 match; request 36 would be the eighth.
    expect(query.found).toHaveLength(7);
    expect(search).toEqual({ since: formatStart(36).replace('Z', '001Z'), limit: 'matches' });
    await expect(searches.resolveWhole(projects(), gold, owner)).rejects.toThrow(
      'More than 7 requests have this value. Select a shorter time range.',
    );
  });

  test('searches only the selected time', async () => {
    const range = {
      ...gold,
      from: BigInt(Date.parse(formatStart(10))) * 1000n,
      until: BigInt(Date.parse(formatStart(20))) * 1000n,
    };
    const query = await createSearches({}).resolveWhole(projects(), range, owner);
    expect(query.found).toHaveLength(3);
    expect(query.from).toBe(range.from);
  });
});
