import { expect } from '@playwright/test';
import {
  composeDigest,
  type NamedProjectWeek,
} from '../../apps/server/src/features/digest/compose-digest.ts';
import { findDueWeek } from '../../apps/server/src/features/digest/week.ts';
import type { ProjectId } from '../../apps/server/src/platform/ids.ts';
import { composeMail } from '../../apps/server/src/platform/mail/compose.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { shoot } from './shoot.ts';

const anError = (message: string, service: string, count: number) =>
  ({ id: 'e'.repeat(32), message, service, count }) as NamedProjectWeek['newErrors'][number];
const aFinding = (title: string, severity: 'high' | 'low') =>
  ({ title, severity }) as NonNullable<NamedProjectWeek['insights']['findings']>[number];

const PROJECTS: readonly NamedProjectWeek[] = [
  {
    ...{ id: '00000000-0000-7000-8000-000000000001' as ProjectId, name: 'Web shop', storedSince: null },
    now: { requests: 1_204_331, errors: 15_290, p95: 412 },
    before: { requests: 1_043_812, errors: 7_140, p95: 371 },
    newErrors: [
      anError("Cannot read properties of undefined (reading 'rate')", 'checkout', 312),
      anError('connect ECONNREFUSED 10.0.3.7:5432', 'orders', 41),
    ],
    reopenedErrors: [anError('payment provider answered … after … ms', 'payments-and-invoices', 77)],
    hasAllErrors: true,
    insights: {
      count: 5,
      findings: [
        aFinding('POST /orders is slower than in release v41', 'high'),
        aFinding('GET /products/:id reads one query 31 times', 'low'),
      ],
    },
    ...{ incidents: 3, ongoingIncidents: 1 },
  },
  {
    ...{ id: '00000000-0000-7000-8000-000000000002' as ProjectId, name: 'internal tools' },
    storedSince: new Date('2026-11-24T10:00:00Z'),
    now: { requests: 812, errors: 0, p95: 38 },
    ...{ before: null, newErrors: [], reopenedErrors: [], hasAllErrors: true },
    insights: { count: 2, findings: null },
    ...{ incidents: 0, ongoingIncidents: 0 },
  },
];

test('screenshots show the weekly digest as HTML', async ({ page }) => {
  const week = findDueWeek(new Date('2026-11-30T08:00:00Z'));
  if (week === undefined) throw new Error('no week is due');
  const publicUrl = 'https://throughline.example.com';
  const unsubscribeUrl = `${publicUrl}/unsubscribe/${'abc123'.repeat(14)}`;
  const addressee = { to: 'ada@example.com', name: 'Ada Lovelace' };
  const mail = composeDigest({ ...addressee, week, projects: PROJECTS, publicUrl, unsubscribeUrl });
  await page.setContent(composeMail(mail).html);
  await shoot(page, 'weekly-digest-mail');
});

test('screenshots show the setting of the weekly digest, and the page that turns the digest off', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/settings');
  const choice = page.getByRole('switch', { name: 'Weekly digest' });
  await expect(choice).toBeChecked();
  await shoot(page, 'weekly-digest-setting');
  await choice.press('Space');
  await expect(page.getByText('The weekly digest is turned off.')).toBeVisible();
  await shoot(page, 'weekly-digest-setting-off');
  await page.goto('/unsubscribe/no-such-token');
  await shoot(page, 'weekly-digest-unsubscribe');
});
