import { AlertPayload } from '@throughline/contract';
import { expect, test } from 'vitest';
import { composeMail } from '../../platform/mail/compose.ts';
import { composeAlertMail, composePayload, composeSlackBody } from './message.ts';

const NASTY = '<!channel> <https://evil.example|pay> www.evil.example & more';
const GIVEN = {
  id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e42',
  event: 'firing' as const,
  createdAt: new Date('2026-03-02T12:10:00Z'),
  project: { id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e43', name: 'shop evil.example' },
  rule: {
    id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e44',
    kind: 'new_error' as const,
    service: null,
    environment: null,
    endpoint: null,
    filter: null,
    threshold: null,
    minutes: null,
    severity: null,
  },
  incident: {
    id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e45',
    openedAt: '2026-03-02T12:00:00.000Z',
    closedAt: null,
    value: null,
    error: { id: 'e', service: 'shop', message: `${NASTY} ${'x'.repeat(10_000)}` },
    insight: null,
  },
  publicUrl: 'https://flows.example',
};
const payload = composePayload(GIVEN);

test('a captured error message in an alert is shortened, and contains no link, markup or mention', () => {
  const mail = composeMail(composeAlertMail('ada@test.example', payload));
  expect(mail.subject).toBe('Alert: New error');
  expect(mail.text).not.toMatch(/evil\.example|:\/\/evil/);
  expect(mail.text).toContain('https://flows.example/errors?');
  expect(mail.html).not.toContain('<!channel>');
  const { text } = JSON.parse(composeSlackBody(payload));
  expect(text).toContain('&lt;!channel&gt; &lt;https://evil.example|pay&gt;');
  expect(text.match(/<[^>]*>/g)).toEqual([
    '<https://flows.example/errors?project=019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e43&error=e&from=2026-03-02T12%3A00%3A00.000Z|See more>',
  ]);
  expect(text.length).toBeLessThan(1000);
});

const MEASURED = { from: '2026-03-02T11:55:00.000Z', to: '2026-03-02T12:10:00.000Z' };
const ERROR = { id: 'e', service: 'shop', message: 'no rate' };
const INSIGHT = { id: 'i', service: 'shop', severity: 'high', title: 'Slower' } as const;
const SHOP = { service: 'shop & co', environment: 'production' };

test.each<
  [
    string,
    Partial<AlertPayload['rule']>,
    Partial<NonNullable<AlertPayload['incident']>>,
    Readonly<Record<string, string>>,
  ]
>([
  ['a high error rate', { kind: 'error_rate', minutes: 10, ...SHOP }, {}, { ...MEASURED, ...SHOP }],
  [
    'a high P95 that ended',
    { kind: 'p95', minutes: 10 },
    { closedAt: '2026-03-02T12:05:00.000Z' },
    { ...MEASURED, to: '2026-03-02T12:05:00.000Z' },
  ],
  [
    'missing traffic, with the hour before it',
    { kind: 'no_traffic', minutes: 15 },
    {},
    { ...MEASURED, from: '2026-03-02T10:45:00.000Z' },
  ],
  ['an error', {}, { error: ERROR }, { error: 'e', from: '2026-03-02T12:00:00.000Z' }],
  [
    'an error that ended',
    {},
    { error: ERROR, closedAt: '2026-03-03T12:00:00.000Z' },
    { error: 'e', from: '2026-03-02T12:00:00.000Z', to: '2026-03-03T12:00:00.000Z' },
  ],
  [
    'an insight, whose check covers seven days',
    { kind: 'insight' },
    { insight: INSIGHT },
    { from: '2026-02-24T00:00:00.000Z', to: '2026-03-02T12:10:00.000Z', tab: 'insights' },
  ],
])(
  'the link of a message shows the time of the incident, whenever the link is opened: %s',
  (_what, rule, incident, link) => {
    const { url } = composePayload({
      ...GIVEN,
      rule: { ...GIVEN.rule, ...rule },
      incident: { ...GIVEN.incident, error: null, ...incident },
    });
    const { pathname, searchParams } = new URL(url);
    expect(pathname).toBe(incident.error === undefined ? '/analytics' : '/errors');
    expect(Object.fromEntries(searchParams)).toEqual({ project: GIVEN.project.id, ...link });
  },
);

const FILTER = 'status:error -instance:w3';

test.each<[string, Partial<AlertPayload['rule']>, string | null, Readonly<Record<string, string>>]>([
  [
    'a high P95',
    { kind: 'p95', minutes: 10, threshold: 400, ...SHOP },
    null,
    { ...MEASURED, ...SHOP, min: '400' },
  ],
  [
    'missing traffic that ended',
    { kind: 'no_traffic', minutes: 15, endpoint: 'POST /orders/:id' },
    '2026-03-02T12:05:00.000Z',
    {
      ...{ from: '2026-03-02T10:45:00.000Z', to: '2026-03-02T11:46:00.000Z' },
      ...{ method: 'POST', endpoint: '/orders/:id' },
    },
  ],
])(
  'the message of an alert with a filter names the filter, and links to the requests that match it: %s',
  (_what, rule, closedAt, link) => {
    const composed = composePayload({
      ...GIVEN,
      rule: { ...GIVEN.rule, filter: FILTER, ...rule },
      incident: { ...GIVEN.incident, error: null, closedAt },
    });
    const { pathname, searchParams } = new URL(composed.url);
    expect(pathname).toBe('/dashboard');
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ project: GIVEN.project.id, status: 'error', exclude: '-instance:w3' },
      ...link,
    });
    expect(composeMail(composeAlertMail('ada@test.example', composed)).text).toContain(FILTER);
    expect(JSON.parse(composeSlackBody(composed)).text).toContain(FILTER);
  },
);

test('a message that an earlier version queued is sent, although its rule has no field `filter`', () => {
  const { filter: _filter, ...rule } = { ...GIVEN.rule, service: 'shop' };
  const queued = AlertPayload.parse(JSON.parse(JSON.stringify({ ...payload, rule })));
  expect(composeAlertMail('ada@test.example', queued).paragraphs[0]).toMatch(/, shop\.$/);
});

test('the link of a test message opens the project', () => {
  const { url } = composePayload({ ...GIVEN, event: 'test', incident: null });
  expect(url).toBe(`https://flows.example/analytics?project=${GIVEN.project.id}`);
});
