import { createHmac } from 'node:crypto';
import { AlertPayload, MAX_DELIVERY_ATTEMPTS } from '@throughline/contract';
import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AlertScene, startAlertScene } from '../fixtures/scene.ts';

let scene: AlertScene;
beforeAll(async () => {
  scene = await startAlertScene();
});
afterEach(() => scene.reset());
afterAll(() => scene.stop());

const RATE = { kind: 'error_rate' as const, threshold: 5, minutes: 2 };

/** Lists the events of the webhooks that arrived, such as `firing`. */
const events = () => scene.recipient.received.map(({ body }) => AlertPayload.parse(JSON.parse(body)).event);
const states = async () =>
  (await scene.deliveries()).map(({ state, attempts, problem }) => ({ state, attempts, problem }));

describe('an incident', () => {
  test('sends one signed webhook, one email and one Slack message when it begins, and again when it is over', async () => {
    const { recipient, smtp, figures } = scene;
    const { rule, secret } = await scene.create({
      ...RATE,
      people: [scene.userId],
      webhookUrl: recipient.url,
      slackUrl: recipient.url.replace('hook', 'slack'),
    });
    scene.startOne();
    await scene.pass(2);
    expect(recipient.received).toEqual([]);
    figures.errors = 9;
    await scene.pass(12);
    figures.errors = 1;
    await scene.pass(12);
    const [first, second, ...others] = recipient.received.filter(({ path }) => path === '/hook');
    expect(others).toEqual([]);
    const payload = AlertPayload.parse(JSON.parse(first?.body ?? ''));
    expect(payload).toMatchObject({
      event: 'firing',
      title: 'Alert: Error rate above 5 % for 2 min',
      project: { id: scene.projectId, name: 'shop' },
      rule: { id: rule.id, kind: 'error_rate', threshold: 5, minutes: 2 },
      incident: { value: 9, closedAt: null, error: null },
    });
    expect(AlertPayload.parse(JSON.parse(second?.body ?? '')).incident).toMatchObject({
      id: payload.incident?.id,
      closedAt: expect.any(String),
    });
    const timestamp = String(first?.headers['throughline-timestamp']);
    const hmac = createHmac('sha256', secret ?? '')
      .update(`${timestamp}.${first?.body}`)
      .digest('hex');
    expect(first?.headers['throughline-signature']).toBe(`v1=${hmac}`);
    expect(first?.headers['throughline-delivery']).toBe(payload.id);
    const slack = recipient.received.filter(({ path }) => path === '/slack');
    expect(slack.map(({ body }) => JSON.parse(body).text.split('\n')[0])).toEqual([
      '*Alert: Error rate above 5 % for 2 min*',
      '*Recovered: Error rate above 5 % for 2 min*',
    ]);
    expect(smtp.messages.map(({ to }) => to)).toEqual(['ada@test.example', 'ada@test.example']);
    const mail = (await scene.deliveries()).find(
      ({ channel, event }) => channel === 'email' && event === 'firing',
    );
    expect(smtp.messages[0]?.data).toContain(`Message-ID: <${mail?.id}@throughline>`);
  });

  test('is reported once at its start and once at its end if three servers check and send at the same time', async () => {
    await scene.create({ ...RATE, people: [scene.userId], webhookUrl: scene.recipient.url });
    for (let server = 0; server < 3; server += 1) scene.startOne();
    scene.figures.errors = 9;
    await scene.pass(10);
    scene.figures.errors = 0;
    await scene.pass(10);
    expect(events()).toEqual(['firing', 'recovered']);
    expect(scene.smtp.messages).toHaveLength(2);
  });

  test('that begins in quiet hours is reported at the end of the quiet hours, unless the incident is over by then', async () => {
    const quietHours = { from: '12:00', until: '23:00', timeZone: 'UTC' };
    const { rule } = await scene.create({ ...RATE, webhookUrl: scene.recipient.url, quietHours });
    scene.startOne();
    scene.figures.errors = 9;
    await scene.pass(5);
    scene.figures.errors = 0;
    await scene.pass(5);
    scene.figures.errors = 9;
    await scene.pass(5);
    expect(events()).toEqual([]);
    const { rules } = await scene.service.list(scene.projectId);
    expect(rules[0]).toMatchObject({ id: rule.id, quietNow: true, openIncidents: 1 });
    await scene.update(rule.id, { ...RATE, quietHours: null });
    await scene.pass(1);
    expect(events()).toEqual(['firing']);
  });

  test('ends without a message if the rule is changed to measure something else', async () => {
    const { rule } = await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    scene.startOne();
    scene.figures.errors = 9;
    await scene.pass(5);
    await scene.update(rule.id, { ...RATE, threshold: 50 });
    await scene.pass(5);
    expect(events()).toEqual(['firing']);
  });
});

describe('a message', () => {
  const fire = async () => {
    await scene.create({ ...RATE, minutes: 1, webhookUrl: scene.recipient.url });
    scene.figures.errors = 9;
  };

  test('whose recipient responds with 500 and then with a redirect arrives at the third attempt, with the same id', async () => {
    await fire();
    scene.recipient.answers.push(500, 302);
    scene.startOne();
    await scene.pass(2);
    const [failed] = await scene.deliveries();
    expect(failed).toMatchObject({
      state: 'waiting',
      attempts: 1,
      problem: 'The server responded with HTTP 500',
      nextTryAt: new Date(scene.clock.now().getTime() + 30_000).toISOString(),
    });
    await scene.pass(1);
    expect(await states()).toMatchObject([{ problem: expect.stringContaining('redirect') }]);
    await scene.pass(5);
    expect(await states()).toEqual([{ state: 'sent', attempts: 3, problem: null }]);
    const { received } = scene.recipient;
    expect(received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook']);
    expect(new Set(received.map(({ headers }) => headers['throughline-delivery'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  test('waits for an unreachable recipient, even if the server is restarted', async () => {
    await fire();
    await scene.recipient.kill();
    const server = scene.startOne();
    await scene.pass(4);
    expect(await states()).toMatchObject([{ state: 'waiting', problem: 'The connection was refused' }]);
    await server.close();
    await scene.recipient.start();
    scene.startOne();
    await scene.pass(20);
    expect(events()).toEqual(['firing']);
    expect(await states()).toMatchObject([{ state: 'sent' }]);
  });

  test.runIf(isThorough())(
    'to a recipient that does not respond is aborted after ten seconds and sent again',
    async () => {
      await fire();
      scene.recipient.answers.push(0);
      scene.startOne();
      await scene.pass(2);
      expect(await states()).toMatchObject([{ state: 'waiting', problem: 'No response within 10 seconds' }]);
      await scene.pass(2);
      expect(await states()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    },
  );

  test.runIf(isThorough())('is marked as failed after the last attempt, hours later', async () => {
    await fire();
    scene.recipient.answers.push(...Array.from({ length: 50 }, () => 503));
    const server = scene.startOne();
    await scene.pass(2);
    for (let hour = 0; hour < 2 * MAX_DELIVERY_ATTEMPTS; hour += 1) {
      scene.clock.advance(9 * 3_600_000);
      await server.run();
    }
    expect(scene.recipient.received).toHaveLength(MAX_DELIVERY_ATTEMPTS);
    expect(await states()).toMatchObject([{ state: 'failed', attempts: MAX_DELIVERY_ATTEMPTS }]);
  });

  test('is sent by another server if a server is killed while it sends the message', async () => {
    const { rule } = await scene.create({ ...RATE, webhookUrl: scene.recipient.url });
    await scene.service.test(scene.projectId, rule.id);
    await scene.claimAndDie();
    scene.startOne();
    await scene.pass(1);
    expect(events()).toEqual([]);
    await scene.pass(1);
    expect(events()).toEqual(['test']);
    expect(await states()).toEqual([{ state: 'sent', attempts: 2, problem: null }]);
  });

  test('keeps its Message-ID if the mail server rejects the message, or accepts the message and then the connection breaks', async () => {
    const { rule } = await scene.create({ ...RATE, people: [scene.userId] });
    scene.startOne();
    scene.smtp.refuse(1);
    await scene.service.test(scene.projectId, rule.id);
    await scene.pass(1);
    expect(await states()).toMatchObject([
      { state: 'waiting', problem: 'The mail server did not accept the message' },
    ]);
    scene.smtp.cut(1);
    await scene.pass(10);
    expect(await states()).toMatchObject([{ state: 'sent', attempts: 3 }]);
    const ids = scene.smtp.messages.map(({ data }) => /^Message-ID: (.*)$/m.exec(data)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('to an address of the server’s own network is not sent unless the operator allows it', async () => {
    const { rule } = await scene.create({
      ...RATE,
      webhookUrl: scene.recipient.url.replace('127.0.0.1', 'localhost'),
    });
    await scene.create({ ...RATE, webhookUrl: 'http://[::ffff:127.0.0.1]:1/' });
    scene.startOne(false);
    await scene.service.test(scene.projectId, rule.id);
    await scene.pass(1);
    expect(await states()).toMatchObject([{ problem: expect.stringContaining('private network') }]);
    expect(scene.recipient.received).toEqual([]);
  });
});

describe('an error', () => {
  const error = (id: string, state: 'new' | 'reopened' | 'resolved' | 'ongoing', at = scene.clock.now()) => ({
    ...{
      id,
      merged: [] as string[],
      splitFrom: null,
      requestIds: [id],
      state,
      service: 'shop',
      services: ['shop'],
      message: 'no rate for …',
      thrownBy: null,
      count: 1,
      users: 1,
      endpoint: 'POST /',
      endpoints: 1,
    },
    ...{
      firstSeen: at.toISOString(),
      lastSeen: at.toISOString(),
      firstRelease: '',
      lastRelease: '',
      trend: [],
    },
    ...{ changed: null, resolvedAfterRelease: null, note: '', assignee: null, newest: '' },
  });

  test('that is new is reported once, even if it occurs often, and its resolution is reported once', async () => {
    scene.figures.errors = 1;
    scene.listed.errors = [error('known', 'new', new Date(0))];
    await scene.create({ kind: 'new_error', webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.pass(2);
    expect(events()).toEqual([]);
    const since = scene.clock.now().toISOString();
    scene.listed.errors = [error('fresh', 'new'), ...scene.listed.errors];
    await scene.pass(5);
    scene.listed.errors = [error('fresh', 'resolved')];
    await scene.pass(5);
    expect(events()).toEqual(['firing', 'recovered']);
    expect(JSON.parse(scene.recipient.received[0]?.body ?? '')).toMatchObject({
      incident: { error: { id: 'fresh', service: 'shop', message: 'no rate for …' } },
      url: `https://flows.example/errors?project=${scene.projectId}&error=fresh&from=${encodeURIComponent(since)}`,
    });
  });

  test('that is merged into another error is not reported again, and its incident stays open', async () => {
    scene.figures.errors = 1;
    scene.listed.errors = [error('one', 'new')];
    await scene.create({ kind: 'new_error', webhookUrl: scene.recipient.url });
    scene.startOne();
    await scene.pass(2);
    expect(events()).toEqual(['firing']);
    scene.listed.errors = [{ ...error('two', 'new'), merged: ['one'] }];
    await scene.pass(5);
    expect(events()).toEqual(['firing']);
    scene.listed.errors = [{ ...error('two', 'resolved'), merged: ['one'] }];
    await scene.pass(5);
    expect(events()).toEqual(['firing', 'recovered']);
  });

  test('that occurs again after each of several resolutions is reported once per resolution', async () => {
    await scene.create({ kind: 'reopened_error', webhookUrl: scene.recipient.url });
    scene.startOne();
    scene.figures.errors = 1;
    const resolved = (minute: number) => ({ at: `2026-03-01T12:0${minute}:00.000Z`, by: 'Ada' });
    scene.listed.errors = [{ ...error('one', 'reopened'), changed: resolved(1) }];
    await scene.pass(3);
    scene.listed.errors = [{ ...error('one', 'reopened'), changed: resolved(2) }];
    await scene.pass(3);
    expect(events()).toEqual(['firing', 'firing']);
    // Error `one` is split by function into two errors. Error `two` is about the other function; `changed`, the time of the last
    // resolution, is the same for both errors.
    const split = (minute: number) => ({
      ...error('two', 'reopened'),
      splitFrom: 'one',
      changed: resolved(minute),
    });
    // The ids of incidents contain the real time, not the time of the test's clock. The split must be later than the stored incident.
    scene.listed.splitTimes = new Map([['one', new Date(Date.now() + 1)]]);
    scene.listed.errors = [{ ...error('one', 'reopened'), changed: resolved(2) }, split(2)];
    await scene.pass(3);
    expect(events()).toEqual(['firing', 'firing']);
    scene.listed.errors = [split(3)];
    await scene.pass(3);
    expect(events().filter((event) => event === 'firing')).toHaveLength(3);
  });

  test('that was split from another error is reported, even if the other error was reported after the split', async () => {
    await scene.create({ kind: 'reopened_error', webhookUrl: scene.recipient.url });
    scene.startOne();
    scene.figures.errors = 1;
    const changed = { at: '2026-03-01T12:01:00.000Z', by: 'Ada' };
    const first = { ...error('one', 'reopened'), changed };
    scene.listed.splitTimes = new Map([['one', new Date(Date.now() - 1)]]);
    scene.listed.errors = [first];
    await scene.pass(3);
    expect(events()).toEqual(['firing']);
    scene.listed.errors = [first, { ...error('two', 'reopened'), splitFrom: 'one', changed }];
    await scene.pass(3);
    expect(events()).toEqual(['firing', 'firing']);
  });
});
