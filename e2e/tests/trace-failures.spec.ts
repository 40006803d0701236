import { expect } from '@playwright/test';
import { signUpWithTraces } from '../harness/signed-up.ts';
import { failedOrder, plainRequest } from '../harness/traces.ts';
import { test } from '../harness/worker-server.ts';

/** A request whose failing function begins at line 18 and throws at line 21. */
function thrownBelow(at: Date): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(failedOrder(at));
  return JSON.parse(text.replace('src/tax.ts:18:3', '/app/src/tax.ts:21:9'));
}

test('a failure names the line that threw: in the banner, the step and among the files', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [thrownBelow(new Date())]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('src/tax.ts:21').first()).toBeVisible();
  await expect(dialog.getByText('Failed at', { exact: true })).toBeVisible();
  await expect(dialog.getByText('line 18', { exact: true })).toBeVisible();
  await expect(dialog.getByText('src/tax.ts:18')).toHaveCount(0);
  await dialog.getByRole('tab', { name: 'Files' }).click();
  await expect(dialog.getByText('failed at line 21')).toBeVisible();
});

test('a request that failed by its error flag alone is marked as failed', async ({ page, ada }) => {
  const flagged = { ...plainRequest('/flagged', new Date()), error: { hasError: true, errorMessage: 'no' } };
  await signUpWithTraces(page, ada, [flagged, plainRequest('/well', new Date())]);
  await page.goto('/dashboard');
  const row = (path: string) => page.locator('[data-row]').filter({ hasText: path });
  await expect(row('/flagged').locator('[data-failed="true"]')).toContainText('200 failed');
  await expect(row('/well').locator('[data-failed="false"]')).toHaveText('200');
});

test('the head of a trace has its day', async ({ page, ada }) => {
  const at = new Date();
  await signUpWithTraces(page, ada, [plainRequest('/today', at)]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const day = await page.evaluate((ms) => {
    const local = new Date(ms);
    const two = (value: number) => String(value).padStart(2, '0');
    return `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
  }, at.getTime());
  await expect(page.getByRole('dialog').locator('time').first()).toContainText(day);
});
