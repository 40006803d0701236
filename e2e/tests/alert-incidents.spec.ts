import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

const WIDTHS = [1440, 900, 360];
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const FILTER =
  'route:/api/v2/organizations/:organizationId/reports/:reportId/export -instance:eu-central-1-0003';
const measures = [
  { kind: 'new_error', service: 'shop', environment: 'production' },
  { kind: 'p95', threshold: 1500, minutes: 15, filter: FILTER },
  { kind: 'no_traffic', minutes: 30 },
].map((measure) => ({
  ...{ id: crypto.randomUUID(), service: null, environment: null, endpoint: null, filter: null },
  ...{ threshold: null, minutes: null, severity: null },
  ...measure,
}));
const rules = measures.map((measure) => ({
  ...measure,
  ...{ people: [], webhook: 'https://alerts.example.com/…', slack: null, quietHours: null, paused: false },
  ...{ createdAt: ago(90), firingSince: ago(50), openIncidents: 1, quietNow: true, lastValue: null },
}));
const incidents = measures.map((rule) => ({
  ...{ id: crypto.randomUUID(), rule, openedAt: ago(50), closedAt: null, peak: null, error: null },
  ...{ insight: null, waitsForQuietHours: true, deliveries: [] },
}));
const deliveries = measures.map(({ id }) => ({
  ...{ id: crypto.randomUUID(), ruleId: id, event: 'firing', channel: 'email', target: 'owner@shop.example' },
  ...{ title: 'New error in shop: TypeError: Cannot read properties of undefined', state: 'waiting' },
  ...{ attempts: 2, createdAt: ago(2), nextTryAt: ago(-1), finishedAt: null, problem: 'It was refused' },
}));

/** Opens the settings of a project with the alerts, incidents and deliveries that the constants above contain. */
async function openAlerts(page: Page) {
  await page.route('**/alerts', (route) => route.fulfill({ json: { rules, people: [] } }));
  await page.route('**/alert-deliveries*', (route) => route.fulfill({ json: { deliveries } }));
  await page.route('**/alert-incidents*', (route) =>
    route.fulfill({ json: { incidents, nextCursor: null } }),
  );
  await addProject(page, 'orders');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'More actions for orders' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  return page.getByRole('region', { name: 'Alerts', exact: true });
}

test('alerts with long filters, their incidents and deliveries fit every width', async ({ page, ada }) => {
  await signUp(page, ada);
  const section = await openAlerts(page);
  const rule = section.getByRole('table', { name: 'Alert rules' }).locator('tbody tr').nth(1);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expect(section.getByRole('list', { name: 'Incidents' }).getByRole('listitem')).toHaveCount(3);
    await expect(section.getByRole('combobox', { name: 'Sort Alert rules' })).toBeVisible({
      visible: width < 1440,
    });
    expect(await findLayoutFaults(page), `${width} px`).toEqual([]);
    const tops = await rule
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size, `lines of buttons at ${width} px`).toBe(1);
  }
  await expectAccessibleInBoth(page, 'alerts on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  const lines = (text: string) =>
    section
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
  await expect(rule.getByText(/^Firing since/)).toBeVisible();
  expect(await lines((await rule.getByText(/^Firing since/).textContent()) ?? '')).toBe(1);
  expect(await lines('owner@shop.example')).toBe(1);
});

test('incidents stay in view, but dimmed, while a new search loads', async ({ page, ada }) => {
  await signUp(page, ada);
  const section = await openAlerts(page);
  const list = section.getByRole('list', { name: 'Incidents' });
  await expect(list).toHaveAttribute('aria-busy', 'false');
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/alert-incidents*search=*', async (route) => {
    await isAnswered;
    await route.fulfill({ json: { incidents: incidents.slice(0, 1), nextCursor: null } });
  });
  await section.getByLabel('Search incidents').fill('new error');
  await expect(list).toHaveAttribute('aria-busy', 'true');
  await expect(list).toHaveCSS('opacity', '0.6');
  answer();
  await expect(list).toHaveAttribute('aria-busy', 'false');
  await expect(list.getByRole('listitem')).toHaveCount(1);
});
