import { readFile } from 'node:fs/promises';
import { ALERT_DAYS } from '@throughline/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { alertDeliveries, alertIncidents } from '../../platform/control-store/index.ts';
import { type AlertScene, startAlertScene } from './fixtures/scene.ts';

const MIGRATION = new URL(
  '../../platform/control-store/migrations/0023_alert_incidents_listed.sql',
  import.meta.url,
);

let scene: AlertScene;
beforeAll(async () => {
  scene = await startAlertScene();
});
afterEach(() => scene.reset());
afterAll(() => scene.stop());

const RATE = { kind: 'error_rate' as const, threshold: 5, minutes: 2 };

const instantAfter = (minutes: number, since: Date) =>
  new Date(since.getTime() + minutes * 60_000).toISOString();

describe('the list of incidents', () => {
  test('shows an incident’s times, highest value and messages', async () => {
    const start = scene.clock.now();
    const { rule } = await scene.create({ ...RATE, service: 'shop', webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([31, 1], [9, 3]);
    expect((await scene.incidents()).incidents).toMatchObject([{ closedAt: null, peak: 31 }]);
    scene.recipient.answers.push(500);
    await scene.passAt([47, 1], [6, 1], [0, 3]);
    const { incidents, nextCursor } = await scene.incidents();
    expect(nextCursor).toBeNull();
    expect(incidents).toMatchObject([
      {
        rule: { id: rule.id, kind: 'error_rate', threshold: 5, minutes: 2, service: 'shop' },
        openedAt: instantAfter(1, start),
        closedAt: instantAfter(9, start),
        peak: 47,
        error: null,
        insight: null,
        waitsForQuietHours: false,
        deliveries: [
          { event: 'firing', channel: 'webhook', state: 'sent', attempts: 1, problem: null },
          { event: 'recovered', state: 'waiting', problem: 'The server responded with HTTP 500' },
        ],
      },
    ]);
  });

  test('shows the rule as it was when the incident began', async () => {
    const { rule } = await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([9, 4]);
    await scene.update(rule.id, { kind: 'p95', threshold: 800, minutes: 9, service: 'billing' });
    const { incidents } = await scene.incidents();
    expect(incidents).toMatchObject([
      {
        rule: { kind: 'error_rate', threshold: 5, minutes: 2, service: null },
        peak: 9,
        deliveries: [{ title: 'Alert: Error rate above 5 % for 2 min' }],
      },
    ]);
    expect(incidents[0]?.closedAt).not.toBeNull();
  });

  test('shows that the first message waits for the end of the quiet hours', async () => {
    const quietHours = { from: '00:00', until: '23:59', timeZone: 'UTC' };
    await scene.create({ ...RATE, webhookUrl: scene.recipient.url, quietHours });
    scene.startOne();
    await scene.passAt([9, 4]);
    expect((await scene.incidents()).incidents).toMatchObject([{ waitsForQuietHours: true, deliveries: [] }]);
    await scene.passAt([0, 4]);
    expect((await scene.incidents()).incidents).toMatchObject([
      { waitsForQuietHours: false, deliveries: [] },
    ]);
  });

  test('contains the incidents of a rule or state in pages, newest first', async () => {
    const { rule } = await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([9, 4], [0, 4], [9, 4], [0, 4], [9, 4]);
    const other = await scene.create({ ...RATE, threshold: 6, webhookUrl: scene.recipient.url });
    await scene.pass(4);
    const find = async (query: Parameters<AlertScene['incidents']>[0]) =>
      (await scene.incidents(query)).incidents.map((incident) => [
        incident.rule.threshold,
        incident.closedAt === null ? 'ongoing' : 'ended',
      ]);
    const all = [
      [6, 'ongoing'],
      [5, 'ongoing'],
      [5, 'ended'],
      [5, 'ended'],
    ];
    expect(await find({})).toEqual(all);
    expect(await find({ ruleId: other.rule.id })).toEqual(all.slice(0, 1));
    expect(await find({ state: 'ongoing' })).toEqual(all.slice(0, 2));
    expect(await find({ ruleId: rule.id, state: 'ended' })).toEqual(all.slice(2));
    const first = await scene.incidents({ limit: 3 });
    expect(first.incidents).toHaveLength(3);
    const rest = await scene.incidents({ limit: 3, cursor: first.nextCursor ?? '' });
    expect(rest).toMatchObject({ incidents: [{ rule: { id: rule.id } }], nextCursor: null });
    expect(new Set([...first.incidents, ...rest.incidents].map(({ id }) => id)).size).toBe(4);
    for (const cursor of ['x', other.rule.id, `${other.rule.id}@`, `x@${Date.now()}`]) {
      await expect(scene.incidents({ cursor })).rejects.toMatchObject({
        details: { fields: [{ path: 'cursor' }] },
      });
    }
  });

  test(`contains an ended incident for ${ALERT_DAYS} days, and an ongoing incident until its end`, async () => {
    await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    await scene.create({ kind: 'p95', threshold: 10, minutes: 1, webhookUrl: scene.recipient.url });
    const server = scene.startOne();
    await scene.passAt([9, 4], [0, 4]);
    const kinds = async () => (await scene.incidents()).incidents.map(({ rule }) => rule.kind).sort();
    expect(await kinds()).toEqual(['error_rate', 'p95']);
    scene.clock.advance(ALERT_DAYS * 86_400_000);
    expect(await kinds()).toEqual(['p95']);
    await server.deleteOld(scene.clock.now());
    expect(await kinds()).toEqual(['p95']);
  });

  test('contains the incidents that an earlier version stored; after the migration, these incidents have a rule, a peak and messages', async () => {
    await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.passAt([9, 4], [0, 4]);
    const before = await scene.incidents();
    expect(before.incidents[0]?.deliveries).toHaveLength(2);
    await scene.db.update(alertIncidents).set({ peak: null, rule: null });
    await scene.db.update(alertDeliveries).set({ incidentId: null });
    expect((await scene.incidents()).incidents[0]?.deliveries).toEqual([]);
    const migration = await readFile(MIGRATION, 'utf8');
    for (const statement of migration.split('--> statement-breakpoint')) {
      if (statement.trim().startsWith('UPDATE')) await scene.db.execute(sql.raw(statement));
    }
    expect(await scene.incidents()).toEqual(before);
  });
});
