import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AlertScene, startAlertScene } from './fixtures/scene.ts';
import { openIncidents } from './incidents-store.ts';

let scene: AlertScene;
beforeAll(async () => {
  scene = await startAlertScene();
});
afterEach(() => scene.reset());
afterAll(() => scene.stop());

const RATE = { kind: 'error_rate' as const, threshold: 5, minutes: 2 };

describe('the list of incidents', () => {
  test('sorts incidents by how long they lasted, in pages that neither repeat nor skip an incident', async () => {
    await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([9, 9], [0, 4], [9, 4], [0, 4], [9, 6]);
    const minutes = async (order: 'ascending' | 'descending') => {
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await scene.incidents({ sort: 'duration', order, limit: 1, ...(cursor && { cursor }) });
        for (const { openedAt, closedAt } of page.incidents) {
          const end = closedAt === null ? scene.clock.now().getTime() : Date.parse(closedAt);
          found.push((end - Date.parse(openedAt)) / 60_000);
        }
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    };
    const longest = await minutes('descending');
    expect(longest).toHaveLength(3);
    expect(longest).toEqual(longest.toSorted((a, b) => b - a));
    expect(new Set(longest).size).toBe(3);
    expect(await minutes('ascending')).toEqual(longest.toReversed());
  });

  test('keeps the order by duration if an ongoing incident becomes the longest after the first page was read', async () => {
    await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([9, 9], [0, 4], [9, 4]);
    const by = { sort: 'duration', order: 'descending', limit: 1 } as const;
    const first = await scene.incidents(by);
    expect(first.incidents).toMatchObject([{ closedAt: expect.any(String) }]);
    await scene.passAt([9, 60], [0, 4]);
    const rest = await scene.incidents({ ...by, cursor: first.nextCursor ?? '' });
    expect(rest.incidents).toHaveLength(1);
    expect(rest.incidents[0]?.id).not.toBe(first.incidents[0]?.id);
    expect(rest.nextCursor).toBeNull();
  });

  test('finds incidents by the words of the alert and its scope, in any order and case', async () => {
    await scene.create({ ...RATE, service: 'Shop', webhookUrl: scene.recipient.url });
    await scene.create({ ...RATE, threshold: 6, service: 'billing', webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([9, 4], [0, 4], [9, 4]);
    const find = async (search: string) =>
      (await scene.incidents({ search })).incidents.map(({ rule }) => rule.service);
    expect(await find('')).toHaveLength(4);
    expect(await find('shop RATE')).toEqual(['Shop', 'Shop']);
    expect(await find('%')).toHaveLength(4);
    expect(await find('shop billing')).toEqual([]);
    const page = await scene.incidents({ search: 'shop', limit: 1 });
    const next = await scene.incidents({ search: 'shop', limit: 1, cursor: page.nextCursor ?? '' });
    expect(next.incidents).toMatchObject([{ rule: { service: 'Shop' } }]);
    expect(next.incidents[0]?.id).not.toBe(page.incidents[0]?.id);
  });

  test('continues a search on the next page if two thousand incidents did not match', async () => {
    const { rule } = await scene.create({ ...RATE, service: 'shop', webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([9, 4], [0, 4]);
    const { rule: measure } = (await scene.incidents()).incidents[0] ?? {};
    if (measure === undefined) throw new Error('no incident was found');
    await openIncidents(
      scene.db,
      Array.from({ length: 2100 }, (_incident, index) => ({
        rule: { ...measure, id: rule.id, service: 'other' },
        key: `other ${index}`,
        openedAt: scene.clock.now(),
      })),
    );
    const first = await scene.incidents({ search: 'shop' });
    expect(first.incidents).toEqual([]);
    const next = await scene.incidents({ search: 'shop', cursor: first.nextCursor ?? '' });
    expect(next).toMatchObject({ incidents: [{ rule: { service: 'shop' } }], nextCursor: null });
  });
});
