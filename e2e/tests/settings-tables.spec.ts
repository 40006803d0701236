import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

const PHONE = { width: 360, height: 740 };
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
const cells = (page: Page, name: string, column: string) =>
  table(page, name).locator(`tbody [data-label="${column}"]`);
const sortBy = (page: Page, name: string, column: string) =>
  table(page, name)
    .getByRole('columnheader', { name: column, exact: true })
    .getByRole('button')
    .press('Enter');

async function openProjectSettings(page: Page): Promise<void> {
  await addProject(page, 'orders');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'More actions for orders' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
}

/** Saves a picture in light and in dark mode if the variable PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${process.env.PICTURES}/${name}-${colorScheme}.png`, fullPage: true });
  }
}

/** Builds an alert rule about the P95, which has been firing since `firingSince`. */
const buildRule = (
  threshold: number,
  firingSince: string | null,
  paused: boolean,
  endpoint: string | null,
) => ({
  ...{ id: crypto.randomUUID(), kind: 'p95', threshold, minutes: 5, severity: null, people: [] },
  ...{ service: 'shop', environment: null, endpoint, filter: null, webhook: 'https://hooks.example.com/…' },
  ...{ slack: null, quietHours: null, paused, createdAt: hoursFromNow(-9), firingSince, quietNow: false },
  ...{ openIncidents: firingSince === null ? 0 : 1, lastValue: null },
});

test('alert rules are sorted and searched by keyboard, a reload keeps the order and the search, and the rules are cards on a phone', async ({
  page,
  ada,
}) => {
  const rules = [
    buildRule(90, null, true, null),
    ...[300, 400, 500, 600].map((threshold) => buildRule(threshold, null, false, null)),
    buildRule(1000, hoursFromNow(-1), false, 'POST /orders'),
  ];
  await page.route('**/api/projects/*/alerts', (route) =>
    route.fulfill({ json: { success: true, rules, people: [] } }),
  );
  await signUp(page, ada);
  await openProjectSettings(page);
  const names = cells(page, 'Alert rules', 'Alert');
  await expect(names).toHaveCount(6);
  await expect(names.first()).toContainText('P95 above 90 ms');
  await sortBy(page, 'Alert rules', 'State');
  await expect(names.first()).toContainText('P95 above 1.00 s');
  await expect(names.last()).toContainText('P95 above 90 ms');
  await expect(page).toHaveURL(/tables=rules%3Astate/);
  await picture(page, 'rules-1440');
  await page.getByRole('searchbox', { name: 'Search alerts' }).fill('ORDERS post');
  await expect(names).toHaveCount(1);
  await page.reload();
  await expect(names).toHaveCount(1);
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('combobox', { name: 'Sort Alert rules' })).toHaveValue('state ascending');
  await page.getByRole('searchbox', { name: 'Search alerts' }).fill('');
  await expect(names).toHaveCount(6);
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, 'the cards of alert rules');
  await picture(page, 'rules-360');
});

test('links to traces are sorted and searched, and are cards on a phone', async ({ page, ada }) => {
  const shareLinks = Array.from('dbfaec', (letter, index) => ({
    ...{ id: crypto.randomUUID(), projectId: crypto.randomUUID(), traceId: crypto.randomUUID() },
    ...{ values: index === 0 ? 'shown' : 'masked', createdBy: index === 1 ? null : 'Ada Lovelace' },
    ...{ createdAt: hoursFromNow(-1 - index), expiresAt: hoursFromNow(30 - index) },
    request:
      index === 5
        ? null
        : { method: 'GET', path: `/${letter}`, statusCode: 200, startTime: hoursFromNow(-9) },
  }));
  await page.route('**/api/projects/*/share-links', (route) =>
    route.fulfill({ json: { success: true, shareLinks } }),
  );
  await signUp(page, ada);
  await openProjectSettings(page);
  const requests = cells(page, 'Links to traces', 'Request');
  const GONE = 'The trace was deleted or has expired.';
  await expect(requests).toHaveText(['GET/d', 'GET/b', 'GET/f', 'GET/a', 'GET/e', GONE]);
  await sortBy(page, 'Links to traces', 'Request');
  await expect(requests).toHaveText(['GET/a', 'GET/b', 'GET/d', 'GET/e', 'GET/f', GONE]);
  await sortBy(page, 'Links to traces', 'Expires');
  await sortBy(page, 'Links to traces', 'Expires');
  await expect(requests.first()).toHaveText(GONE);
  await picture(page, 'links-1440');
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('combobox', { name: 'Sort Links to traces' })).toHaveValue('expires ascending');
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, 'the cards of links');
  await picture(page, 'links-360');
  await page.getByRole('searchbox', { name: 'Search links' }).fill('shown');
  await expect(requests).toHaveText(['GET/d']);
  await page.getByRole('searchbox', { name: 'Search links' }).fill('deleted user');
  await expect(requests).toHaveText(['GET/b']);
});

test('sessions are sorted and searched, and are cards on a phone', async ({ page, ada }) => {
  const sessions = ['Firefox on Linux', 'Safari on macOS', 'Chrome on Windows', 'curl', null, 'Edge'].map(
    (device, index) => ({
      ...{ id: crypto.randomUUID(), device, address: `10.0.0.${index + 1}`, country: null },
      ...{ createdAt: hoursFromNow(-50 + index), lastSeenAt: hoursFromNow(-index), current: index === 0 },
    }),
  );
  await page.route('**/api/auth/sessions', (route) => route.fulfill({ json: { success: true, sessions } }));
  await signUp(page, ada);
  await page.goto('/settings?tab=security');
  const devices = cells(page, 'Your sessions', 'Device');
  await expect(devices.first()).toContainText('This session');
  await sortBy(page, 'Your sessions', 'Logged in');
  await expect(devices.first()).toHaveText('Edge');
  await sortBy(page, 'Your sessions', 'Device');
  await expect(devices.first()).toHaveText('Chrome on Windows');
  await picture(page, 'sessions-1440');
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('combobox', { name: 'Sort Your sessions' })).toHaveValue('device ascending');
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, 'the cards of sessions');
  await picture(page, 'sessions-360');
  await page.getByRole('searchbox', { name: 'Search sessions' }).fill('10.0.0.4');
  await expect(devices).toHaveText(['curl']);
});
