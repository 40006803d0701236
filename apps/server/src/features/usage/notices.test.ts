import { expect, test } from 'vitest';
import { createId, type OrganizationId } from '../../platform/ids.ts';
import { listNotices } from './notices.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-23T12:00:00Z');

const accountId = createId<OrganizationId>();

type State = Parameters<typeof listNotices>[0];

const state = (given: Partial<State>): State => ({
  row: undefined,
  quota: { accountId, kind: 'organization', plan: 'pro', periodAnchor: NOW },
  month: { start: NOW, end: new Date(NOW.getTime() + 30 * DAY_MS) },
  payer: {
    accountId,
    kind: 'organization',
    plan: null,
    anchorAt: null,
    accessEndsAt: null,
    endedPlan: null,
    pastDueSince: null,
  },
  now: NOW,
  diskFullSince: null,
  clockAheadMs: null,
  hasDamage: false,
  mayAct: true,
  ...given,
});

test('only owners see a notice if the server’s clock is days ahead', () => {
  expect(listNotices(state({}))).toEqual([]);
  const [notice] = listNotices(state({ clockAheadMs: 120 * DAY_MS }));
  expect(notice?.kind).toBe('clock_ahead');
  expect(notice?.message).toContain('120 days ahead');
  expect(listNotices(state({ clockAheadMs: 120 * DAY_MS, mayAct: false }))).toEqual([]);
});
