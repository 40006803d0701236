import { expect } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';

test("a stack trace links the project's own frames to their steps, folds libraries, and can be copied completely @long", async ({
  page,
  ada,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUpWithTraces(page, ada, [checkoutTrace({ at: new Date(), country: 'UK', user: 'u-1' })]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const failed = page.getByRole('region', { name: /^Step \d+: taxFor/ });
  const frames = failed.getByRole('list', { name: 'Frames of the stack' }).getByRole('listitem');
  await expect(frames).toHaveText([
    /taxFor.*checkout\.ts:18/,
    /2 frames of express, Node\.js/,
    /placeOrder.*checkout\.ts:30/,
  ]);
  await expectAccessibleInBoth(page, 'a stack');

  await failed.getByRole('button', { name: 'Copy stack' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('at next (/app/node_modules/express/lib/route.js:149:13)');
  await failed.getByRole('button', { name: 'async placeOrder' }).click();
  await expect(page.getByRole('region', { name: /^Step \d+: placeOrder/ })).toBeVisible();
});

test('the panel of a call that changed its parameters shows the changes and each value once, and the values before and after the call can be followed @long', async ({
  page,
  ada,
}) => {
  const trace = checkoutTrace({ at: new Date(), country: 'GB', user: 'u-1' });
  const flow = trace.flow as readonly Record<string, unknown>[];
  const changed = flow.map((step) =>
    step.stepId === 'taxFor'
      ? {
          ...step,
          inputs: { cart: { total: 1045 } },
          variables: { parameters: { cart: { total: 1267 } }, returnValue: 2 },
          outputs: 2,
        }
      : step,
  );
  await signUpWithTraces(page, ada, [{ ...trace, flow: changed }]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await page
    .getByRole('tree', { name: 'Steps' })
    .getByRole('treeitem', { name: /taxFor/ })
    .click();
  const step = page.getByRole('region', { name: /^Step \d+: taxFor/ });
  const changes = step.getByRole('list', { name: 'Changed during the call' });
  await expect(changes).toContainText('cart.total: 1045');
  await expect(changes).toContainText('1267');
  await expect(step.getByRole('heading', { name: 'Inputs' })).toHaveCount(0);
  await expect(step.getByRole('heading', { name: 'Outputs' })).toHaveCount(0);
  await expect(step.getByRole('tree', { name: 'Return value' })).toContainText('2');

  await changes.getByRole('button', { name: 'Where did cart.total before the call come from?' }).click();
  const panel = page.getByRole('region', { name: 'Where cart.total came from' });
  await expect(panel).toContainText('1045');
  await expect(page).toHaveURL(/inputs/);
  await changes.getByRole('button', { name: 'Where did cart.total after the call come from?' }).press('w');
  await expect(panel).toContainText('1267');
  await expect(page).toHaveURL(/parameters/);
});
