import { expect, test } from 'vitest';
import { aTrace } from '../parts/trace.fixture.ts';
import { listChips, searchAround } from './list-chips.ts';

const trace = { ...aTrace({}), service: 'orders', environment: 'production', release: '1.4.2' };

test('the release of a request always has its own chip, even if it equals the version of the service', () => {
  const chips = listChips(trace, { ...trace, serviceVersion: '1.4.2' });
  expect(chips.map(({ text }) => text)).toEqual(['orders', 'production', 'release 1.4.2']);
  expect(chips.at(-1)?.search).toEqual({ release: '1.4.2' });
  // Before the trace is loaded, the same chips are shown, so that none of them moves.
  expect(listChips(trace, undefined)).toEqual(chips);
  expect(listChips(trace, { ...trace, serviceVersion: '7.0.1' })[0]?.text).toBe('orders 7.0.1');
});

test('the chip of the country shows its name, and the chip of a long session id also contains the whole id', () => {
  const row = {
    ...trace,
    service: '',
    environment: '',
    release: '',
    country: 'FR',
    sessionId: 'visit-17-of-today',
  };
  expect(listChips(row, undefined)).toEqual([
    {
      name: 'session',
      text: 'session visit-17-of-…',
      wholeText: 'session visit-17-of-today',
      search: { session: 'visit-17-of-today' },
    },
    { name: 'country', text: 'country France', search: { country: 'FR' } },
  ]);
});

test('each attribute whose name means a tenant is a chip that filters by the attribute', () => {
  const attributes = {
    tenant: 'acme',
    'app.org_id': 17,
    plan: 'gold',
    'our:companyName': 'Acme "Ltd"',
  };
  const chips = listChips({ ...trace, service: '', environment: '', release: '' }, { ...trace, attributes });
  expect(chips).toEqual([
    { name: 'tenant', text: 'tenant acme', search: { attribute: 'tenant:acme' } },
    { name: 'app.org_id', text: 'app.org_id 17', search: { attribute: 'app.org_id:17' } },
    {
      name: 'our:companyName',
      text: 'our:companyName Acme "Ltd"',
      search: { attribute: '"our:companyName":Acme "Ltd"' },
    },
  ]);
});

test.each([
  ['another word follows', 'tenantPlan', 'gold'],
  ['only a part of a word means a tenant', 'accountant', 'Ada'],
  ['the name is that of the operator’s account', 'cloud.account.id', '123456789012'],
  ['no word means a tenant', 'id', '17'],
  ['the value is empty', 'tenant', ''],
  ['the value is redacted', 'tenant', '‹redacted›'],
  ['the value is too long for a URL', 'tenant', 'a'.repeat(1000)],
  ['the value is an object', 'tenant', { name: 'acme' }],
] as const)('an attribute is no tenant if %s', (_, name, value) => {
  const loaded = { ...trace, attributes: { [name]: value } };
  expect(listChips({ ...trace, service: '', environment: '', release: '' }, loaded)).toEqual([]);
});

test('the date of a request leads to the requests of the same service and environment from 15 minutes before to 15 minutes after the request', () => {
  expect(
    searchAround({ ...trace, timing: { startTime: '2026-11-23T00:05:00.000001Z', duration: 1 } }),
  ).toEqual({
    from: '2026-11-22T23:50:00.000Z',
    to: '2026-11-23T00:20:00.000Z',
    service: 'orders',
    environment: 'production',
  });
});
