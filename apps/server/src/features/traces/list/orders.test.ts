import { routes, TRACE_SORTS, type TraceListQuery } from '@throughline/contract';
import { aTrace, sendTraces } from '@throughline/testkit';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { buildFlow, RANKS } from './orders.fixture.ts';

const scene = sceneOfEachTest();

const BASE_MS = Math.floor(Date.now() / 1000) * 1000 - 1_800_000;
const at = (second: number) => new Date(BASE_MS + second * 1000).toISOString();

const list = (query: Partial<Record<keyof TraceListQuery, string | number>>) =>
  scene.person.client.call(routes.traces.list, { query: query as never });

test.each(pickRows(TRACE_SORTS, { usually: 1 }))(
  'pages sorted by %s contain each trace once, even while new traces arrive',
  async (sort) => {
    const { project } = scene;
    // Many traces start at the same time, or have the same duration or number of steps.
    const before = Array.from({ length: 90 }, (_trace, index) =>
      aTrace({
        timing: { startTime: at(index % 30), duration: index % 7 },
        flow: buildFlow(index % 5, at(index % 30)),
      }),
    );
    await sendTraces(scene.server, project.apiKey, before);
    const known = new Set((await list({ limit: 500 })).traces.map(({ _id }) => _id));
    const seen: string[] = [];
    const ranks: (string | number)[] = [];
    let cursor: string | null = null;
    let more = 0;
    do {
      const page = await list({ sort, limit: 20, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.traces.map(({ _id }) => _id));
      ranks.push(...page.traces.map(RANKS[sort]));
      cursor = page.nextCursor;
      more += 1;
      // Adds traces that come first in every sort order, and traces in the middle.
      await sendTraces(scene.server, project.apiKey, [
        aTrace({
          timing: { startTime: at(1000 + more), duration: 1000 + more },
          flow: buildFlow(6 + more, at(1000 + more)),
        }),
        aTrace({
          timing: { startTime: at(more * 7), duration: more },
          flow: buildFlow(more % 5, at(more * 7)),
        }),
      ]);
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(ranks).toEqual(ranks.toSorted((one, other) => (one > other ? -1 : Number(one < other))));
    expect([...known].filter((id) => !seen.includes(id))).toEqual([]);
  },
);
