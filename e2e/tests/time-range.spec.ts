import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { chart, figure, tab } from '../harness/pages/analytics.ts';
import { chooseTime, timeButton, timePanel } from '../harness/pages/time-range.ts';
import { signUpOrganization } from '../harness/people/organizations.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
const rows = (page: Page) => page.locator('[data-row]');
async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

/** Formats the date in the time zone of this process, which is also the time zone of the browser. */
function writeDay(at: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

test('a range such as the last hour is kept on other pages and after a reload, and always ends now @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(minutesAgo(2)), plainRequest('/parts', minutesAgo(1))]);
  await page.goto('/dashboard');
  await expect(timeButton(page)).toHaveAccessibleName('Time: All time');
  await expect(rows(page)).toHaveCount(2);
  await chooseTime(page, 'Last 24 hours');
  await expect(page).toHaveURL(/last=24h/);
  await expect(timeButton(page)).toBeFocused();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  for (const name of ['Analytics', 'Errors', 'Raw Traces']) {
    await openPage(page, name);
    await expect(timeButton(page)).toHaveAccessibleName('Time: Last 24 hours');
    await page.reload();
    await expect(page).toHaveURL(/last=24h/);
    await expect(timeButton(page)).toHaveAccessibleName('Time: Last 24 hours');
  }
  await expect(rows(page)).toHaveCount(2);
  await sendTraces(page, [plainRequest('/later', new Date())]);
  await expect(rows(page)).toHaveCount(3);

  // The command palette keeps the range when it opens another page. A page that has no range gets no range parameter.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page, view, project' }).fill('analytics');
  await page.keyboard.press('Enter');
  await expect(figure(page, 'Total Traces')).toHaveText('3');
  await expect(chart(page, 'Request volume by 15 minutes')).toBeVisible();
  await openPage(page, 'Projects');
  await expect(page).not.toHaveURL(/last=/);

  // Back undoes a choice.
  await page.goto('/dashboard');
  await chooseTime(page, 'Last hour');
  await chooseTime(page, 'Today');
  await page.goBack();
  await expect(timeButton(page)).toHaveAccessibleName('Time: Last hour');
  await chooseTime(page, 'All time');
  await expect(page).not.toHaveURL(/last=/);
});

test('a range from a start to an end is chosen in days or with times, by keyboard @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failedOrder(minutesAgo(2))]);
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(1);
  await timeButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(timePanel(page).locator(':focus')).toHaveCount(1);
  await expectAccessibleInBoth(page, 'the choice of a time range', '[aria-label="Group by"]');
  await page.keyboard.press('Escape');
  await expect(timePanel(page)).toHaveCount(0);
  await expect(timeButton(page)).toBeFocused();

  const [before, today] = [writeDay(new Date(Date.now() - 3 * DAY_MS)), writeDay(new Date())];
  await page.keyboard.press('Enter');
  const field = (name: string) => timePanel(page).getByLabel(name, { exact: true });
  await field('From').fill(today);
  await field('To').fill(before);
  await field('To').press('Enter');
  await expect(timePanel(page).getByText('End date must not be before the start date.')).toBeVisible();
  await field('From').fill(before);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`start=${before}&end=${before}`));
  await expect(timeButton(page)).toHaveAccessibleName(`Time: ${before}`);
  await expect(page.getByText('No traces found')).toBeVisible();
  await expect(page.getByText('Paused')).toBeVisible();
  await openPage(page, 'Analytics');
  await expect(page.getByLabel('Start date')).toHaveValue(before);
  await expect(page.getByText('No traces in this range')).toBeVisible();
  await page.goBack();

  await timeButton(page).click();
  await field('From, time').fill('00:30');
  await field('To').fill(today);
  await timePanel(page).getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/from=.*&to=/);
  await expect(rows(page)).toHaveCount(1);
  await expect(timeButton(page)).toHaveAccessibleName(`Time: ${before.slice(5)} 00:30:00 – 23:59:59`);
  await page.getByRole('button', { name: 'Resume live traces' }).click();
  await expect(timeButton(page)).toHaveAccessibleName('Time: All time');
});

test('the range since a release is selected by the release’s name, and charts mark the start of each release @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const send = (release: string, minutes: readonly number[]) =>
    sendTraces(
      page,
      minutes.map((ago) => plainRequest(`/in/${release}`, minutesAgo(ago))),
      { name: 'orders', release },
    );
  await send('1.4.0', [30, 25, 20]);
  await send('1.5.0', [10, 5]);
  await page.goto('/dashboard');
  await expect(rows(page)).toHaveCount(5);
  const marks = page.getByText(/^Releases: 1\.4\.0 since .*, 1\.5\.0 since /);
  await expect(marks).toHaveCount(1);
  await timeButton(page).click();
  const release = timePanel(page).getByLabel('Since release');
  await expect(release.getByRole('option')).toHaveText(['Choose a release', /^1\.5\.0, /, /^1\.4\.0, /]);
  await release.selectOption({ index: 1 });
  await expect(timeButton(page)).toHaveAccessibleName('Time: Since 1.5.0');
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(timeButton(page)).toHaveAccessibleName('Time: Since 1.5.0');
  await openPage(page, 'Analytics');
  await expect(timeButton(page)).toHaveAccessibleName('Time: Since 1.5.0');
  await expect(figure(page, 'Total Traces')).toHaveText('2');
  await expect(chart(page, 'Request volume by minute').getByText(/^Releases: 1\.5\.0 since/)).toHaveCount(1);
  await tab(page, 'Performance').click();
  await expect(chart(page, 'Latency heatmap').getByText(/^Releases: 1\.5\.0 since/)).toHaveCount(1);
});

test('a zoom in a chart of the list changes the range of the whole page, and Back restores the range @long', async ({
  page,
  ada,
}) => {
  const early = [40, 41].map((minutes) => failedOrder(minutesAgo(minutes)));
  await signUpWithTraces(page, ada, [...early, plainRequest('/now', minutesAgo(1))]);
  await page.goto('/dashboard?last=1h');
  await expect(figure(page, 'Total Traces').first()).toHaveText('3');
  const times = page.getByRole('application', { name: /^Requests over time/ });
  await times.focus();
  await page.keyboard.press('ArrowRight');
  for (let bar = 0; bar < 30; bar += 1) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=.*&to=|to=.*&from=/);
  await expect(figure(page, 'Total Traces').first()).toHaveText('2');
  await expect(rows(page)).toHaveCount(2);
  await openPage(page, 'Errors');
  await expect(page.getByRole('table', { name: 'Errors' }).getByRole('row')).toHaveCount(2);
  await page.goBack();
  await expect(rows(page)).toHaveCount(2);
  await page.goBack();
  await expect(timeButton(page)).toHaveAccessibleName('Time: Last hour');
  await expect(rows(page)).toHaveCount(3);
});

test('the chart of the list shows the times of several days with the day, without seconds', async ({
  page,
  ada,
}) => {
  // The free trial keeps traces for an hour.
  await signUpOrganization(page, ada, 'Analytical Engines');
  await addProject(page, 'orders');
  await sendTraces(page, [
    plainRequest('/early', minutesAgo(2 * 24 * 60)),
    plainRequest('/late', minutesAgo(1)),
  ]);
  await page.goto('/dashboard?last=7d');
  const times = page.getByRole('application', { name: /^Requests over time/ });
  await times.focus();
  await page.keyboard.press('ArrowRight');
  const end = String.raw`\d\d-\d\d \d\d:\d\d`;
  const charts = page.getByRole('region', { name: 'Charts' });
  await expect(charts.getByRole('status').first()).toHaveText(new RegExp(`^${end} – ${end}: 0 requests$`));
});

test('links with older range parameters show the same range @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failedOrder(minutesAgo(2))]);
  const [from, to] = [minutesAgo(3 * 24 * 60), minutesAgo(2 * 24 * 60)].map((at) => at.toISOString());
  for (const [address, name] of [
    ['/errors?days=1', /^Time: Last 24 hours$/],
    ['/errors?days=30', /^Time: Last 30 days$/],
    ['/errors', /^Time: Last 7 days$/],
    ['/analytics?last=6h', /^Time: Last 6 hours$/],
    ['/analytics?start=2026-02-02&end=2026-02-03', /^Time: 2026-02-02 – 2026-02-03$/],
    [`/analytics?last=6h&from=${from}&to=${to}`, /^Time: \d\d-\d\d \d\d:\d\d:\d\d – \d\d-\d\d/],
    [`/dashboard?from=${from}`, /^Time: Since \d\d-\d\d \d\d:\d\d:\d\d$/],
    [`/raw-traces?from=${from}&to=${to}`, /^Time: \d\d-\d\d \d\d:\d\d:\d\d – \d\d-\d\d/],
    ['/dashboard?last=yesterday', /^Time: All time$/],
  ] as const) {
    await page.goto(address);
    await expect(timeButton(page), address).toHaveAccessibleName(name);
  }
});
