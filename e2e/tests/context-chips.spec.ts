import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import type { Account } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { reportTrace } from '../harness/traces/report-trace.ts';
import { sendTraces } from '../harness/traces/traces.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

test('the user, session and service of a request link to all requests with the same user, session or service @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const of = (user: string, seconds: number) => ({
    ...checkoutTrace({ at: secondsAgo(seconds), country: 'GB', user }),
    user: { id: user },
    sessionId: `session-of-${user}`,
  });
  await sendTraces(page, [of('u-1', 5), of('u-1', 10), of('u-2', 15)]);
  await sendTraces(page, [reportTrace({ startedAt: secondsAgo(20), days: 2, queryMs: 1 })], 'reports');
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(4);
  await page.locator('[data-row]').first().click();
  const banner = page.getByRole('dialog').getByRole('banner');
  await expect(banner.getByRole('link', { name: 'orders', exact: true })).toBeVisible();
  await banner.getByRole('link', { name: 'user u-1', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('u-1');

  await page.locator('[data-row]').first().click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await page.getByRole('link', { name: /^session session-of-u/ }).click();
  await expect(page.locator('[data-row]')).toHaveCount(2);
});

test('the instance of a request links to all requests that the instance served @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const of = (seconds: number) => checkoutTrace({ at: secondsAgo(seconds), country: 'GB', user: 'u-1' });
  await sendTraces(page, [of(5), of(6)], { name: 'shop', instance: 'web-1:10' });
  await sendTraces(page, [of(10)], { name: 'shop', instance: 'web-2:11' });
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(3);
  await page.locator('[data-row]').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'on web-1:10', exact: true }).click();
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('web-1:10');
});

test('the release and the tenant of a request link to all requests with the same release or tenant', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const of = (tenant: string, seconds: number) => ({
    ...checkoutTrace({ at: secondsAgo(seconds), country: 'GB', user: 'u-1' }),
    attributes: { tenantId: tenant },
  });
  const service = { name: 'orders', version: '1.4.2', release: '1.4.2' };
  await sendTraces(page, [of('acme', 5), of('globex', 6), of('globex', 7)], service);
  await sendTraces(page, [of('acme', 10)], { ...service, release: '1.4.1' });
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const banner = page.getByRole('dialog').getByRole('banner');
  await banner.getByRole('link', { name: 'release 1.4.2', exact: true }).click();
  await expect(page.locator('[data-row]')).toHaveCount(3);
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('release:1.4.2');

  await page.locator('[data-row]').first().click();
  await banner.getByRole('link', { name: 'tenantId acme', exact: true }).click();
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('attribute:tenantId:acme');

  await page.locator('[data-row]').first().click();
  await banner.getByRole('link', { name: 'Filter out tenantId acme' }).click();
  await expect(page.getByRole('group', { name: 'Active filters' })).toHaveText('-attribute:tenantId:acme');
  await expect(page.locator('[data-row]')).toHaveCount(2);
});

test('the links of a captured value list the requests with the same value, or the requests without that value', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const of = (country: 'UK' | 'GB', seconds: number) =>
    checkoutTrace({ at: secondsAgo(seconds), country, user: 'u-1' });
  await sendTraces(page, [of('UK', 1), of('UK', 2), of('GB', 3)]);
  const filters = page.getByRole('group', { name: 'Active filters' });
  const openValue = async () => {
    await page.goto('/dashboard');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Error');
    await page.locator('[data-row]').first().click();
    const row = page
      .getByRole('dialog')
      .getByRole('tree')
      .getByRole('treeitem', { name: /country/ })
      .first();
    await row.hover();
    return row;
  };
  await (await openValue()).getByRole('link', { name: 'Filter for country "UK"' }).click();
  await expect(filters).toContainText('value:taxFor.country=UK');
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await (await openValue()).getByRole('link', { name: 'Filter out country "UK"' }).click();
  await expect(filters).toContainText('-value:taxFor.country=UK');
  await expect(page.locator('[data-row]')).toHaveCount(1);
});

test('the date of a request links to the requests around that time @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const at = secondsAgo(2400);
  const of = (minutes: number) =>
    checkoutTrace({ at: new Date(at.getTime() + minutes * 60_000), country: 'GB', user: 'u-1' });
  await sendTraces(page, [of(0), of(-14), of(14), of(-16), of(16)], 'orders');
  await sendTraces(page, [of(1)], 'other');
  await page.goto('/dashboard');
  await expect(page.locator('[data-row]')).toHaveCount(6);
  await page.locator('[data-row]').nth(3).click();
  const date = page.getByRole('dialog').getByRole('banner').locator('a:has(time)');
  await expect(date).toHaveText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/);
  await date.press('Enter');
  await expect(page).toHaveURL(/from=.*to=|to=.*from=/);
  await expect(page.locator('[data-row]')).toHaveCount(3);
});

/** Opens the newest report of a project. The project has 20 other reports, half of which are faster. */
async function openReport(page: Page, ada: Account): Promise<void> {
  await signUp(page, ada);
  await addProject(page, 'reports');
  const others = Array.from({ length: 20 }, (_, at) =>
    reportTrace({ startedAt: secondsAgo(30 + at), days: 2 + (at % 4), queryMs: 5 }),
  );
  await sendTraces(
    page,
    [...others, reportTrace({ startedAt: secondsAgo(5), days: 4, queryMs: 5 })],
    'reports',
  );
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
}

const place = (page: Page) =>
  page.getByRole('dialog').getByRole('banner').getByRole('button', { name: 'slower than 50 %' });
const histogram = (page: Page) => page.getByRole('region', { name: 'Durations of this endpoint' });

test('a request shows how its duration ranks among the requests of its endpoint, and each bar of the histogram lists its requests', async ({
  page,
  ada,
}) => {
  await openReport(page, ada);
  await place(page).click();
  await expect(histogram(page)).toContainText(
    'Compared with 20 other successful requests to this endpoint around that time: slower than 50 %',
  );
  await expect(histogram(page)).toContainText(/P50 \d.*P95 \d/);
  const bars = histogram(page).getByRole('listitem');
  const own = bars.filter({ has: page.getByRole('link', { name: /and this request$/ }) });
  await expect(own).toHaveCount(1);
  const [, requests] =
    /: (\d+) requests/.exec((await own.getByRole('link').getAttribute('aria-label')) ?? '') ?? [];
  await own.getByRole('link').click();
  // The bar's link counts the other requests. The list contains the open request, too.
  await expect(page.locator('[data-row]')).toHaveCount(Number(requests) + 1);
  await expect(page).toHaveURL(/endpoint=.*min=/);
});

test('the histogram of durations opens and closes by keyboard, fits a phone, and passes the accessibility check @long', async ({
  page,
  ada,
}) => {
  await openReport(page, ada);
  await place(page).press('Enter');
  await expect(histogram(page).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(histogram(page)).toBeHidden();
  await expect(place(page)).toBeFocused();
  await place(page).press('Enter');
  await expectAccessibleInBoth(page, 'the histogram of durations');
  await page.setViewportSize({ width: 360, height: 740 });
  const measureOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(measureOverflow).toBeLessThanOrEqual(0);
});
