import type { AlertRule } from '@throughline/contract';
import { expect, test } from 'vitest';
import { changeKind, toBody, toDraft } from './rule-draft.ts';

const RULE: AlertRule = {
  id: '019d2c4e-8f0a-7c31-9d55-2a6f0c1b7e42',
  kind: 'p95',
  threshold: 400,
  minutes: 10,
  severity: null,
  service: 'shop',
  environment: null,
  endpoint: null,
  filter: 'step:charge -instance:w3',
  people: ['here', 'gone'],
  webhook: 'https://hooks.example/…',
  slack: null,
  quietHours: { from: '22:00', until: '07:00', timeZone: 'Europe/Berlin' },
  paused: false,
  createdAt: '2026-03-02T12:00:00.000Z',
  firingSince: null,
  openIncidents: 0,
  quietNow: false,
  lastValue: null,
};

test('a rule that is saved unchanged keeps its webhook URLs, but not recipients who left the organization', () => {
  const body = toBody(toDraft(RULE, [{ id: 'here' }]));
  expect(body).toMatchObject({ kind: 'p95', threshold: 400, minutes: 10, service: 'shop', people: ['here'] });
  expect(body).toMatchObject({ quietHours: RULE.quietHours, environment: null });
  expect(body).not.toHaveProperty('webhookUrl');
  expect(body).not.toHaveProperty('slackUrl');
});

test('a webhook URL that the user removes or empties is deleted', () => {
  const draft = toDraft(RULE, []);
  expect(toBody({ ...draft, webhookUrl: null })).toMatchObject({ webhookUrl: null });
  expect(toBody({ ...draft, webhookUrl: ' ' })).toMatchObject({ webhookUrl: null });
});

test('changing the kind of an alert sets the default threshold of the new kind; rules about new errors are saved without threshold and minutes', () => {
  const draft = toDraft(RULE, []);
  expect(toBody(changeKind(draft, 'error_rate'))).toMatchObject({ threshold: 5, minutes: 10 });
  expect(toBody(changeKind(draft, 'new_error'))).toMatchObject({ threshold: null, minutes: null });
});

test('a rule that is saved unchanged keeps its filter; a rule about insights has no filter', () => {
  const draft = toDraft(RULE, []);
  expect(toBody(draft)).toMatchObject({ filter: 'step:charge -instance:w3' });
  expect(toBody(changeKind(draft, 'insight'))).toMatchObject({ filter: null });
});

test('a rule about insights has a severity, and no threshold or minutes', () => {
  const draft = changeKind(toDraft(RULE, []), 'insight');
  expect(toBody(draft)).toMatchObject({ severity: 'medium', threshold: null, minutes: null });
  expect(toBody({ ...draft, severity: 'high' })).toMatchObject({ severity: 'high' });
  expect(toBody(changeKind(draft, 'p95'))).toMatchObject({ severity: null, minutes: 10 });
});
