import { expect, type Page } from '@playwright/test';
import { findForcedColourFaults } from '../harness/browser/forced-colours.ts';
import { signUpWithFigures, requests as someRequests, TABS } from '../harness/pages/analytics.ts';
import { test } from '../harness/server/worker-server.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';

async function expectWhole(page: Page, what: string): Promise<void> {
  await expect(page.getByRole('heading').first(), what).toBeVisible();
  await expect(page.locator('[aria-busy="true"]'), what).toHaveCount(0);
  expect.soft(await findForcedColourFaults(page), what).toEqual([]);
}

const SIGNED_OUT_PAGES = [
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=x',
  '/public',
  '/invite/x',
];
const OWN_PAGES = [
  '/dashboard',
  '/raw-traces',
  '/projects',
  '/billing',
  '/users',
  '/users?tab=audit',
  '/settings?tab=profile',
  '/settings?tab=security',
  '/settings?tab=2fa',
  '/settings?tab=account',
];
const VIEWS = [
  'timeline',
  'flow',
  'flow&graph=functions',
  'flame',
  'sequence',
  'files',
  'request',
  'response',
  'performance',
];

test('the signed-out pages are complete in forced colours @long', async ({ page }) => {
  for (const path of SIGNED_OUT_PAGES) {
    await page.goto(path);
    await expectWhole(page, path);
  }
});

// Runs only in the long tests: in `npm test`, forced-colours.spec.ts checks lists, traces and charts, and dialogs.spec.ts checks each
// dialog.
test('every page, analytics tab and trace view is complete in forced colours @long', async ({
  page,
  ada,
  organizationName,
}) => {
  test.setTimeout(300_000);
  await signUpWithFigures(page, ada, organizationName, someRequests());
  for (const path of OWN_PAGES) {
    await page.goto(path);
    await expectWhole(page, path);
  }
  for (const { id } of TABS) {
    await page.goto(`/analytics?tab=${id}&compare=previous`);
    await expectWhole(page, `analytics, ${id}`);
  }
  for (const view of VIEWS) {
    await openOwnTrace(page, `?view=${view}`);
    await expectWhole(page, `a trace, ${view}`);
  }
});
