import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/accessible.ts';
import { requestWith } from '../harness/extreme-traces.ts';
import { openOwnTrace } from '../harness/own-trace.ts';
import { signUpWithTraces } from '../harness/signed-up.ts';
import { test } from '../harness/worker-server.ts';

/** A request of which one step, deep in it, had the value that is looked for. */
function orderOf(at: Date, steps: number): Readonly<Record<string, unknown>> {
  return requestWith('/order', at, steps, (index) =>
    index === 37 ? { stepName: 'reserve', inputs: { items: [{ sku: 'SKU-88', count: 2 }] } } : {},
  );
}

const findBox = (page: Page) => page.getByRole('searchbox', { name: /^Find steps by name, value/ });
const status = (page: Page) => page.getByRole('search', { name: 'Steps' }).getByRole('status');

test('a step is found by a value that it had, and its line says where', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [orderOf(new Date(), 60)]);
  await openOwnTrace(page);
  await findBox(page).fill('sku-88');
  const found = page.getByRole('treeitem', { name: /reserve/ });
  await expect(found).toContainText('in inputs');
  await expect(status(page)).toHaveText('1 of 60 steps');
  await expectNoViolation(page, 'a step found by a value');
  await found.click();
  await expect(page.getByRole('tree', { name: 'Inputs' })).toBeVisible();
  await expect(page).toHaveURL(/find=sku-88/);
  // A reload reads the values again.
  await page.reload();
  await expect(found).toContainText('in inputs');
  await page.getByRole('tab', { name: 'Waterfall' }).click();
  await expect(found).toContainText('in inputs');
  await findBox(page).fill('SKU-89');
  await expect(page.getByText('No step matches.')).toBeVisible();
});

test('values that cannot be read are said to be not searched, and are read again', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [orderOf(new Date(), 60)]);
  await openOwnTrace(page);
  await page.route('**/api/traces/*values=true*', (route) => route.abort());
  await findBox(page).fill('sku-88');
  await expect(status(page)).toHaveText('0 of 60 steps, values not searched');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('treeitem', { name: /reserve/ })).toContainText('in inputs');
  await expect(status(page)).toHaveText('1 of 60 steps');
});

test('in a trace of too many steps the list says that their values are not searched', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [orderOf(new Date(), 2500)]);
  await openOwnTrace(page);
  await findBox(page).fill('sku-88');
  await expect(page.getByText('Values are searched in traces of up to 2,000 steps.')).toBeVisible();
  await findBox(page).fill('reserve');
  await expect(page.getByRole('treeitem', { name: /reserve/ })).toBeVisible();
});
