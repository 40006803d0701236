import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';

/** Builds the trace of a request in which only one step has the value that the test searches for. */
function buildOrder(at: Date, steps: number): Readonly<Record<string, unknown>> {
  return requestWith('/order', at, steps, (index) =>
    index === 37 ? { stepName: 'reserve', inputs: { items: [{ sku: 'SKU-88', count: 2 }] } } : {},
  );
}

const findBox = (page: Page) => page.getByRole('searchbox', { name: /^Find steps by name, value/ });
const status = (page: Page) => page.getByRole('search', { name: 'Steps' }).getByRole('status');

test('a step is found by a captured value, and its row shows where the value is', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [buildOrder(new Date(), 60)]);
  await openOwnTrace(page);
  await findBox(page).fill('sku-88');
  const found = page.getByRole('treeitem', { name: /reserve/ });
  await expect(found).toContainText('in inputs');
  await expect(status(page)).toHaveText('1 of 60 steps');
  await expectNoViolation(page, 'a step found by a value');
  await found.click();
  await expect(page.getByRole('tree', { name: 'Inputs' })).toBeVisible();
  await expect(page).toHaveURL(/find=sku-88/);
  // After a reload, the values are requested again.
  await page.reload();
  await expect(found).toContainText('in inputs');
  await page.getByRole('tab', { name: 'Sequence' }).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(found).toContainText('in inputs');
  await findBox(page).fill('SKU-89');
  await expect(page.getByText('No step matches.')).toBeVisible();
});

test('values that cannot be loaded are reported as not searched, and load on retry @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [buildOrder(new Date(), 60)]);
  await openOwnTrace(page);
  await page.route('**/api/traces/*/steps?*', (route) => route.abort());
  await findBox(page).fill('sku-88');
  await expect(status(page)).toHaveText('0 of 60 steps, values could not be searched');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('treeitem', { name: /reserve/ })).toContainText('in inputs');
  await expect(status(page)).toHaveText('1 of 60 steps');
});

/**
 * Like `buildOrder`, but each of the `steps` steps has a kilobyte of values, so that a search of the trace needs several requests to the
 * server.
 */
const largeOrder = (steps: number) =>
  requestWith('/order', new Date(), steps, (index) => ({
    ...(index === steps - 2 ? { stepName: 'reserve' } : {}),
    inputs: { text: 'x'.repeat(1000), ...(index === steps - 2 ? { items: [{ sku: 'SKU-88' }] } : {}) },
  }));

test('a value is found in a trace of 20,000 steps, and marked at its position @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [largeOrder(20_000)]);
  await openOwnTrace(page);
  // Step names are found without a request to the server.
  await page.route('**/api/traces/*/steps?*', (route) => route.abort());
  // Twenty megabytes must be loaded before the steps are shown.
  await expect(findBox(page)).toBeVisible({ timeout: 90_000 });
  await findBox(page).fill('reserve');
  const found = page.getByRole('treeitem', { name: /reserve/ });
  await expect(found).toBeVisible();
  await expect(status(page)).toHaveText('1 of 20,000 steps, values could not be searched');
  await page.unrouteAll();
  await findBox(page).fill('sku-88');
  await expect(found).toContainText('in inputs');
  await expect(status(page)).toHaveText('1 of 20,000 steps');
  await found.click();
  const inputs = page.getByRole('tree', { name: 'Inputs' });
  await expect(inputs.locator('[data-hit]')).toHaveText(/sku.*SKU-88/);
  // Values that do not contain the searched text are still shown.
  await expect(inputs).toContainText('xxxx');
  await expect(page.getByRole('search', { name: 'Values' }).getByRole('status')).toHaveText(
    '1 place with “sku-88”',
  );
  await expectNoViolation(page, 'a step with a marked value');
  await findBox(page).fill('SKU-89');
  await expect(page.getByText('No step matches.')).toBeVisible();
  await expect(status(page)).toHaveText('0 of 20,000 steps');
});

test('public viewers can search names, but not values @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [buildOrder(new Date(), 60)]);
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get('/api/projects', { headers });
  const { projects }: { projects: { id: string }[] } = await answer.json();
  await page.request.patch(`/api/projects/${projects[0]?.id}`, { headers, data: { public: true } });
  await openOwnTrace(page);
  await expect(page.getByRole('tree').first()).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await findBox(page).fill('sku-88');
  await expect(page.getByText('No step matches.')).toBeVisible();
  await expect(status(page)).toHaveText('0 of 60 steps');
  await findBox(page).fill('inputs');
  await expect(page.getByText('No step matches.')).toBeVisible();
  await findBox(page).fill('function');
  await expect(status(page)).toHaveText(/^[1-9]\d* of 60 steps$/);
});
