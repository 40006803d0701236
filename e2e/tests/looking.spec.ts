import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/accessible.ts';
import type { Account } from '../harness/people.ts';
import { signUpWithTraces } from '../harness/signed-up.ts';
import { failedOrder, sendTraces } from '../harness/traces.ts';
import { test } from '../harness/worker-server.ts';

const SPAN = '00f067aa0ba902b7';

/** An order that asks a database, a cache and another traced service, waits for the last, and fails at its end. */
function orderOfServices(at: Date): Record<'shop' | 'pay', Readonly<Record<string, unknown>>> {
  const order = failedOrder(at);
  const time = (ms: number) => new Date(at.getTime() + ms).toISOString();
  const step = (stepId: string, ms: number, duration: number, more: Readonly<Record<string, unknown>>) => ({
    stepId,
    stepName: stepId,
    stepType: 'function',
    parentStepId: 'createOrder',
    startTime: time(ms),
    duration,
    filePath: 'src/orders.ts',
    lineNumber: 7,
    ...more,
  });
  const shop = {
    ...order,
    flow: [
      step('createOrder', 0, 1230, { parentStepId: null, stepType: 'handler', lineNumber: 3 }),
      step('SELECT carts', 5, 20, {
        stepType: 'database',
        metadata: { 'db.system.name': 'postgresql', 'db.namespace': 'shop' },
      }),
      step('POST pay.example/charge', 30, 800, { stepType: 'http', metadata: { spanId: SPAN } }),
      step('audit', 40, 90, { filePath: 'src/audit.ts' }),
      step('taxOf', 1210, 12, {
        filePath: 'src/tax.ts',
        lineNumber: 18,
        variables: { parameters: { country: 'UK' }, localVariables: { rate: { $type: 'undefined' } } },
        error: { name: 'TypeError', message: 'no rate' },
      }),
    ],
  };
  const pay = {
    traceId: order.traceId,
    spanId: '00f067aa0ba902b8',
    parentSpanId: SPAN,
    request: { method: 'POST', path: '/charge' },
    response: { statusCode: 201 },
    timing: { startTime: time(60), duration: 700 },
    flow: [step('INSERT charges', 70, 20, { parentStepId: null, stepType: 'database' })],
  };
  return { shop, pay };
}

async function openOrder(page: Page, account: Account): Promise<void> {
  const { shop, pay } = orderOfServices(new Date());
  await signUpWithTraces(page, account, [shop]);
  await sendTraces(page, [pay], 'payments');
  await page.goto('/dashboard');
  await page
    .getByRole('row', { name: /POST \/orders\/17/ })
    .getByRole('button', { name: 'View' })
    .click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
}

test('steps are narrowed, and the ways lead to what matters', async ({ page, ada }) => {
  await openOrder(page, ada);
  const tree = page.getByRole('tree', { name: 'Steps' });
  const selected = tree.getByRole('treeitem', { selected: true });
  const items = tree.getByRole('treeitem');
  await expect(items).toHaveCount(5);
  await expect(tree.getByRole('treeitem', { name: /charge/ })).toContainText('charge');
  await expect(
    tree.getByRole('treeitem', { name: /charge/ }).getByLabel('on the critical path'),
  ).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: /audit/ }).getByLabel('on the critical path')).toHaveCount(
    0,
  );

  await page.keyboard.press('f');
  await page.keyboard.type('tax.ts:18');
  await expect(items).toHaveCount(2);
  await expect(page.getByText('1 of 5 steps')).toBeVisible();
  await expect(page).toHaveURL(/find=tax.ts%3A18/);
  await page.reload();
  await expect(items).toHaveCount(2);

  // What is not listed is listed again when one goes there.
  await page.getByRole('button', { name: 'Slowest' }).click();
  await expect(items).toHaveCount(5);
  await expect(selected).toContainText('charge');
  await page.getByRole('button', { name: 'First error' }).click();
  await expect(selected).toContainText('taxOf');

  await page.getByText(/^Critical path/).click();
  await expect(items).toHaveCount(4);
  await expect(tree).not.toContainText('audit');
  await page.getByText(/^Errors 1/).click();
  await expect(items).toHaveCount(2);
  await page.getByText('All', { exact: true }).click();
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('c');
  await expect(selected).toContainText('SELECT carts');
  await page.getByLabel('Find steps by name').fill('nothing of this name');
  await expect(page.getByText('No step matches.')).toBeVisible();
  await expectNoViolation(page, 'no step matches');
  await page.getByRole('button', { name: 'Show all steps', exact: true }).click();
  await expect(items).toHaveCount(5);
  await expectNoViolation(page, 'steps with their filter');
});

test('the sequence shows who asked whom, across services, and opens the other one', async ({ page, ada }) => {
  await openOrder(page, ada);
  await page.getByRole('tab', { name: 'Sequence' }).click();
  const list = page.getByRole('listbox', { name: 'Sequence of calls' });
  await expect(list.getByRole('option')).toHaveText([
    /POST \/orders\/17/,
    /SELECT carts/,
    /POST pay.example\/charge/,
    /POST \/charge/,
    /INSERT charges/,
    /201/,
    /500/,
  ]);
  await expect(list.getByRole('option', { name: /calls postgresql shop: SELECT carts/ })).toBeVisible();
  await list.getByRole('option', { name: /SELECT carts/ }).click();
  await expect(page.getByRole('region', { name: /Step 2: SELECT carts/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toContainText('pay.example');
  await expectNoViolation(page, 'sequence');
  await list.getByRole('option', { name: 'orders asks payments: POST /charge' }).click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: '/charge' })).toBeVisible();
});

test('the files show each line with the values that it had', async ({ page, ada }) => {
  await openOrder(page, ada);
  await page.getByRole('tab', { name: 'Files' }).click();
  const list = page.getByRole('listbox', { name: 'Files and lines' });
  const line = list.getByRole('option', { name: /src\/tax.ts line 18: taxOf/ });
  await expect(line).toHaveAttribute('aria-selected', 'true');
  await expect(line).toContainText('country "UK"');
  await expect(line).toContainText('threw no rate');
  await expect(list).toContainText('src/audit.ts');
  await list.focus();
  await page.keyboard.press('Home');
  await expect(list.getByRole('option', { selected: true })).toContainText('createOrder');
  await expectNoViolation(page, 'files');
});
