import { expect, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { serveWithRecipient } from '../harness/server/hook-recipient.ts';
import { failedOrder } from '../harness/traces/traces.ts';
import { shoot, shootWhole } from './shoot.ts';

const served = serveWithRecipient();

test('screenshots show the alerts of a project, with delivered messages and a failed message', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  await page.goto('/projects');
  await page.getByRole('button', { name: 'More actions for orders' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const section = page.getByRole('region', { name: 'Alerts', exact: true });
  const dialog = page.getByRole('dialog');
  await section.getByRole('button', { name: 'New alert…' }).click();
  await dialog.getByLabel('Alert on').selectOption('p95');
  await dialog.getByLabel('Endpoint').fill('POST /orders/:id');
  await dialog.getByLabel('Quiet hours').check();
  await dialog.getByLabel('Webhook', { exact: true }).fill(`${served.recipient.url}/good`);
  await shoot(page, 'alert-dialog');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await expect(dialog.getByText(/^whsec_/)).toBeVisible();
  await shoot(page, 'alert-secret');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await section.getByRole('button', { name: 'New alert…' }).click();
  await dialog.getByLabel('Slack webhook').fill(`${served.recipient.url}/bad`);
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await expect(dialog).toHaveCount(0);
  for (const index of [0, 1]) await section.getByRole('button', { name: /^Test/ }).nth(index).click();
  await expect(section.getByText('The server responded with HTTP 500.')).toBeVisible();
  await shootWhole(page, 'alert-settings');
});
