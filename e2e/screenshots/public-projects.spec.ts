import { expect, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

test('screenshots show the settings of a public project, and its pages for public viewers', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await signUpWithTraces(page, ada, [failedOrder(new Date()), plainRequest('/users', new Date())]);
  await page.goto('/projects');
  await page.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByLabel('Field names').fill('note');
  await page.getByLabel('Paths').fill('variables.parameters.*');
  await page.getByLabel('Try on a stored trace').selectOption({ index: 2 });
  await expect(page.getByText(/Would be removed from this trace/)).toBeVisible();
  await shoot(page, 'project-settings');
  await page.getByText(/Would be removed from this trace/).scrollIntoViewIfNeeded();
  await shoot(page, 'project-settings-preview');
  await page.getByRole('button', { name: 'Make public…' }).click();
  await shoot(page, 'project-publish');
  await page.getByRole('checkbox').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Make public' }).click();
  await expect(page.getByText('orders is public.')).toBeVisible();
  await page.goto('/projects');
  await shoot(page, 'projects-public');
  const viewer = await (await browser.newContext({ baseURL: product.url })).newPage();
  await viewer.goto('/public');
  await expect(viewer.getByRole('link', { name: 'orders' })).toBeVisible();
  await shoot(viewer, 'visitor-projects');
  await viewer.getByRole('link', { name: 'orders' }).click();
  await expect(viewer.getByText(/Showing 2/)).toBeVisible();
  await shoot(viewer, 'visitor-traces');
  await viewer.getByRole('link', { name: '/orders/:id' }).click();
  await viewer.getByRole('treeitem', { name: /taxOf/ }).click();
  await expect(viewer.getByText('src/tax.ts:18').last()).toBeVisible();
  await shoot(viewer, 'visitor-trace');
});
