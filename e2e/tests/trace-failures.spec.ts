import { expect } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

/** Builds the trace of a request whose failing function begins at line 18 and throws at line 21. */
function thrownBelow(at: Date): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(failedOrder(at));
  return JSON.parse(text.replace('src/tax.ts:18:3', '/app/src/tax.ts:21:9'));
}

test('the banner, the step and the Source tab show the line that threw', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [thrownBelow(new Date())]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('src/tax.ts:21').first()).toBeVisible();
  await expect(dialog.getByText('Threw at', { exact: true })).toBeVisible();
  await expect(dialog.getByText('line 18', { exact: true })).toBeVisible();
  await expect(dialog.getByText('src/tax.ts:18')).toHaveCount(0);
  await dialog.getByRole('tab', { name: 'Source' }).click();
  await expect(dialog.getByText('failed, threw at line 21')).toBeVisible();
});

test('the editor links of a failed step lead to the line that threw the error', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [thrownBelow(new Date())]);
  await page.evaluate(() =>
    localStorage.setItem('editor_link', JSON.stringify({ editor: 'vscode', root: '/home/ada/shop' })),
  );
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const dialog = page.getByRole('dialog');
  for (const part of [
    dialog.locator('[data-handled="false"]'),
    dialog.getByRole('region', { name: /^Step \d+: / }).locator('header'),
  ]) {
    const link = part.getByRole('link', { name: 'src/tax.ts:21' });
    await expect(link).toHaveAttribute('href', 'vscode://file/home/ada/shop/src/tax.ts:21');
  }
});

test('a request that failed only by its error flag is marked as failed @long', async ({ page, ada }) => {
  const flagged = { ...plainRequest('/flagged', new Date()), error: { hasError: true, errorMessage: 'no' } };
  await signUpWithTraces(page, ada, [flagged, plainRequest('/well', new Date())]);
  await page.goto('/dashboard');
  const row = (path: string) => page.locator('[data-row]').filter({ hasText: path });
  await expect(row('/flagged').locator('[data-failed="true"]')).toContainText('200 failed');
  await expect(row('/well').locator('[data-failed="false"]')).toHaveText('200');
});

test('the header of a trace shows its date @long', async ({ page, ada }) => {
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

/**
 * Builds the trace of a payment: the first call of `charge` fails, and the second call succeeds. `answered` replaces members of the trace.
 */
function retriedPayment(at: Date, answered: Readonly<Record<string, unknown>>) {
  const step = (stepId: string, parentStepId: string | null, startMs: number, duration: number) => ({
    stepId,
    parentStepId,
    stepName: stepId.replace(/\d+$/, ''),
    functionName: stepId.replace(/\d+$/, ''),
    stepType: 'function',
    startTime: new Date(at.getTime() + startMs).toISOString(),
    duration,
    filePath: 'src/pay.ts',
    lineNumber: 14,
  });
  const error = { name: 'TimeoutError', message: 'no answer in 5 ms' };
  return {
    ...plainRequest('/pay', at),
    response: { statusCode: 200 },
    flow: [
      { ...step('POST /pay', null, 0, 12), stepType: 'handler', functionName: null },
      step('payWithRetry', 'POST /pay', 1, 10),
      { ...step('charge1', 'payWithRetry', 1, 5), lineNumber: 30, error },
      { ...step('charge2', 'payWithRetry', 7, 3), lineNumber: 30 },
    ],
    ...answered,
  };
}

test('an error that a caller caught is not shown as a failure; the page shows where the error was caught and what was returned @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [retriedPayment(new Date(), {})]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const dialog = page.getByRole('dialog');
  const banner = dialog.locator('[data-handled]');
  await expect(banner).toHaveAttribute('data-handled', 'true');
  await expect(banner).toContainText(
    'Handled error: TimeoutError: no answer in 5 ms in charge src/pay.ts:30',
  );
  await expect(banner).toContainText(
    'Caught in payWithRetry src/pay.ts:14, where a later call of charge succeeded. The response had status 200.',
  );
  const tree = dialog.getByRole('tree', { name: 'Steps' });
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('POST /pay');
  const charge = tree.getByRole('treeitem').filter({ hasText: 'charge' }).first();
  await expect(charge.getByRole('img', { name: 'error handled' })).toBeVisible();
  await expect(tree.getByRole('img', { name: 'failed' })).toHaveCount(0);
  await expectNoViolation(page, 'handled error');
  await banner.getByRole('button', { name: 'Go to step' }).click();
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('charge');
});

test('an error that a caller caught is shown as handled in every view, and can be found by the filter', async ({
  page,
  ada,
}) => {
  const { flow, ...request } = retriedPayment(new Date(), {});
  const calls = flow.map((step) =>
    step.functionName === 'charge'
      ? { ...step, stepType: 'http', stepName: 'POST bank.example/charge' }
      : step,
  );
  await signUpWithTraces(page, ada, [{ ...request, flow: calls }]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Handled errors 1').click();
  await expect(dialog.getByText('1 of 4 steps')).toBeVisible();
  await dialog.getByRole('button', { name: 'First handled error' }).click();
  const details = dialog.getByRole('region', { name: 'Step error' });
  await expect(details).toContainText('Handled error: TimeoutError: no answer in 5 ms');
  await expect(details).toHaveAttribute('data-outcome', 'handled');
  await expect(dialog.getByText('failed')).toHaveCount(0);
  await dialog.getByRole('tab', { name: 'Flame graph' }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'bank.example' })).toContainText('error handled');
  await dialog.getByRole('tab', { name: 'Sequence' }).click();
  await expect(dialog.getByRole('option', { name: /bank.example.*error handled$/ })).toHaveCount(1);
  await dialog.getByRole('tab', { name: 'Source' }).click();
  await expect(dialog.getByRole('option', { name: /line 30: charge.*error handled/ })).toBeVisible();
  await expect(dialog.getByText('failed')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Flow graph' }).click();
  const card = dialog.getByRole('group', { name: /error handled: no answer in 5 ms/ });
  // The mark must be on one line, because two lines would be cut at the edge of the card.
  const mark = await card.getByText('handled', { exact: true }).boundingBox();
  expect(mark?.height).toBeLessThan(24);
  await dialog.getByText('List', { exact: true }).click();
  await expect(dialog.getByRole('list', { name: 'Flow as a list' })).toContainText('error handled');
  await expect(dialog.getByText('failed')).toHaveCount(0);
});

test('for a caught error, the page shows the value that the function returned instead @long', async ({
  page,
  ada,
}) => {
  const { flow, ...request } = retriedPayment(new Date(), {});
  const [handler, pay, charge] = flow;
  const queued = { ...pay, stepName: 'payOrQueue', functionName: 'payOrQueue', outputs: { queued: true } };
  await signUpWithTraces(page, ada, [{ ...request, flow: [handler, queued, charge] }]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page.locator('[data-handled="true"]')).toContainText(
    'Caught in payOrQueue src/pay.ts:14, which returned { queued: true }. The response had status 200.',
  );
});

for (const [what, answered, when] of [
  ['status 500', { response: { statusCode: 500 } }, ''],
  ['an error flag', { error: { hasError: true, errorMessage: 'no answer in 5 ms' } }, ' @long'],
] as const) {
  test(`an error of a request that failed by ${what} is never shown as handled${when}`, async ({
    page,
    ada,
  }) => {
    await signUpWithTraces(page, ada, [retriedPayment(new Date(), answered)]);
    await page.goto('/dashboard');
    await page.locator('[data-row]').first().click();
    const banner = page.getByRole('dialog').locator('[data-handled]');
    await expect(banner).toHaveAttribute('data-handled', 'false');
    await expect(banner).not.toContainText('Handled');
    const tree = page.getByRole('tree', { name: 'Steps' });
    await expect(tree.getByRole('treeitem', { selected: true })).toContainText('charge');
    await expect(tree.getByRole('img', { name: 'failed' })).toHaveCount(1);
  });
}
