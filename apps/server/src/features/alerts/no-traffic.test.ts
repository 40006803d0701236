import { storesOfFile } from '@throughline/testkit/stores';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { measure } from './figures-store.ts';
import { type AlertScene, startAlertScene } from './fixtures/scene.ts';

const stores = storesOfFile();
let scene: AlertScene;
beforeAll(async () => {
  scene = await startAlertScene({
    measure: (project, rule, range) => measure(stores.traces, project, rule, range),
  });
});
afterEach(async () => {
  await scene.reset();
  // A service counts as removed after seven days without requests (`KNOWN_MS`), so the next test does not see the requests of this test.
  scene.clock.advance(8 * 86_400_000);
});
afterAll(() => scene.stop());

/** Stores a request that begins now. */
async function request(instance: string) {
  const nowMs = scene.clock.now().getTime();
  const columns = ['project_id', 'start_time', 'id', 'id_time_ms', 'instance'] as const;
  const row = [scene.projectId, (nowMs / 1000).toFixed(6), createId(), nowMs, instance].join('\t');
  await stores.traces.insert('traces', columns, Buffer.from(`${row}\n`));
}

/** Lets minutes pass. At the beginning of each minute, each of the given instances responds to one request. */
async function passWith(minutes: number, ...instances: readonly string[]) {
  for (let minute = 0; minute < minutes; minute += 1) {
    for (const instance of instances) await request(instance);
    await scene.pass(1);
  }
}

const listEvents = () => scene.recipient.received.map(({ body }) => JSON.parse(body).event);

describe('an alert on missing traffic', () => {
  const create = (filter: string | null = null) =>
    scene.create({ kind: 'no_traffic', minutes: 5, filter, webhookUrl: scene.recipient.url });

  test('fires when no request began within the set number of minutes, and recovers with the next request', async () => {
    await create();
    scene.startOne();
    await passWith(3, 'w1');
    const lastMs = scene.clock.now().getTime() - 60_000;
    await passWith(3);
    expect(listEvents()).toEqual([]);
    await passWith(10);
    expect(listEvents()).toEqual(['firing']);
    const { incidents } = await scene.incidents();
    expect(incidents).toMatchObject([{ closedAt: null, peak: null, rule: { kind: 'no_traffic' } }]);
    const openedMs = Date.parse(incidents[0]?.openedAt ?? '');
    expect((openedMs - lastMs) / 60_000).toBeGreaterThanOrEqual(5);
    expect((openedMs - lastMs) / 60_000).toBeLessThanOrEqual(6);
    expect(JSON.parse(scene.recipient.received[0]?.body ?? '')).toMatchObject({ incident: { value: 5 } });
    await passWith(1, 'w1');
    expect(listEvents()).toEqual(['firing', 'recovered']);
    expect((await scene.incidents()).incidents[0]?.closedAt).not.toBeNull();
  });

  test('does not fire during pauses shorter than the set number of minutes, and opens one incident for each longer pause', async () => {
    await create();
    scene.startOne();
    for (let round = 0; round < 4; round += 1) {
      await passWith(1, 'w1');
      await passWith(3);
    }
    expect(listEvents()).toEqual([]);
    for (let round = 0; round < 2; round += 1) {
      await passWith(1, 'w1');
      await passWith(7);
    }
    await passWith(2, 'w1');
    expect(listEvents()).toEqual(['firing', 'recovered', 'firing', 'recovered']);
    expect((await scene.incidents()).incidents).toHaveLength(2);
  });

  test('does not fire for a service without requests in the last seven days', async () => {
    await create();
    scene.startOne();
    await passWith(10);
    expect((await scene.service.list(scene.projectId)).rules).toMatchObject([{ lastValue: null }]);
    expect(listEvents()).toEqual([]);
  });

  test('with a filter, counts only the requests that match the filter', async () => {
    const only = await create('instance:w1');
    const without = await create('-instance:w1');
    scene.startOne();
    await passWith(2, 'w1', 'w2');
    await passWith(8, 'w2');
    const { incidents } = await scene.incidents();
    expect(incidents).toMatchObject([{ rule: { id: only.rule.id, filter: 'instance:w1' }, closedAt: null }]);
    expect(JSON.parse(scene.recipient.received[0]?.body ?? '')).toMatchObject({
      rule: { filter: 'instance:w1' },
      url: expect.stringMatching(/\/dashboard\?.*instance=w1/),
    });
    // A request that does not match the filter does not end the incident.
    expect((await scene.incidents({ state: 'ongoing' })).incidents).toHaveLength(1);
    await passWith(8, 'w1');
    expect((await scene.incidents()).incidents).toMatchObject([
      { rule: { id: without.rule.id }, closedAt: null },
      { rule: { id: only.rule.id }, closedAt: expect.any(String) },
    ]);
  });
});
