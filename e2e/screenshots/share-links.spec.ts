import { expect, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { failedOrder } from '../harness/traces/traces.ts';
import { shoot, shootWhole } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

test('screenshots show the page of a shared trace, and the dialog that shares the trace', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).first().click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  const share = page.getByRole('button', { name: 'Share' });
  await share.waitFor();
  await shoot(page, 'share-trace-page');
  await share.click();
  const dialog = page.getByRole('dialog', { name: 'Share this trace' });
  await expect(dialog.getByText('This trace has no links.')).toBeVisible();
  await shoot(page, 'share-dialog');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByRole('textbox', { name: 'New link' });
  await expect(link).toHaveValue(/shared/);
  const masked = await link.inputValue();
  await dialog.getByRole('radio', { name: 'Shown' }).check();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(dialog.getByRole('button', { name: 'Revoke' })).toHaveCount(2);
  await shoot(page, 'share-dialog-links');
  const bearer = await (await browser.newContext({ baseURL: product.url })).newPage();
  await bearer.goto(masked);
  await bearer.getByRole('treeitem', { name: /taxOf/ }).waitFor();
  await shoot(bearer, 'shared-trace');
  await bearer.goto('/shared/ended');
  await expect(bearer.getByText('This link no longer works')).toBeVisible();
  await shoot(bearer, 'shared-ended');
  await page.goto('/projects');
  await page.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const section = page.getByRole('region', { name: 'Shared traces' });
  await expect(section.getByRole('listitem')).toHaveCount(2);
  await shootWhole(page, 'shared-settings');
});
