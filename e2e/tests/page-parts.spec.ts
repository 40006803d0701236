import { expect } from '@playwright/test';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest } from '../harness/traces/traces.ts';

test('the page shows an error if a part of its code fails to load, and recovers on retry @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/parts', new Date())]);
  await page.route('**/assets/trace-dialogs-*.js', (route) => route.abort());
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expect(
    page.getByText(/A part of the page could not be loaded \(error: http.*trace-dialogs/),
  ).toBeVisible();
  await page.unroute('**/assets/trace-dialogs-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('dialog', { name: 'Trace details' })).toBeVisible();
});

test('a page shows an error if its style sheet fails to load, and is complete when it is opened again @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/styles', new Date())]);
  await page.goto('/dashboard');
  await page.route('**/assets/*.css', (route) => route.abort());
  const menu = page.getByRole('navigation');
  await menu.getByRole('link', { name: 'Settings' }).click();
  const failure = page.getByText(/A part of the page could not be loaded \(error: http\S+\.css\)/);
  await expect(failure).toBeVisible();
  const [, address = ''] = /error: (\S+)\)/.exec((await failure.textContent()) ?? '') ?? [];
  await page.unroute('**/assets/*.css');
  await menu.getByRole('link', { name: 'Dashboard' }).click();
  await menu.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const lastSheet = page
    .locator(`link[rel="stylesheet"][href="${new URL(address).pathname}"], link[href="${address}"]`)
    .last();
  expect(await lastSheet.evaluate((link: HTMLLinkElement) => link.sheet?.cssRules.length)).toBeGreaterThan(0);
});
