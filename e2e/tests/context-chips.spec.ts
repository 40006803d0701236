import { expect } from '@playwright/test';
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
  await expect(banner.getByRole('link', { name: 'orders' })).toBeVisible();
  await banner.getByRole('link', { name: 'user u-1' }).click();
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
  await page.getByRole('dialog').getByRole('link', { name: 'on web-1:10' }).click();
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('web-1:10');
});

test('a request shows how its duration ranks among the requests of its endpoint @long', async ({
  page,
  ada,
}) => {
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
  await expect(page.getByRole('dialog').getByRole('banner')).toContainText('slower than 50 %');
});
