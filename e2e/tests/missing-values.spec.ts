import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import type { Account } from '../harness/people/people.ts';
import { addProject, signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { sendTraces } from '../harness/traces/traces.ts';

const FROM_SDK = { name: 'orders', runtime: 'node 24.11.1' };
const checkout = (country: 'UK' | 'GB') => checkoutTrace({ at: new Date(), country, user: 'u-9' });
const details = (page: Page, step: string) =>
  page.getByRole('region', { name: new RegExp(`^Step \\d+: ${step}$`) });

async function openStep(page: Page, ada: Account, trace: unknown, step: string): Promise<void> {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await sendTraces(page, [trace], FROM_SDK);
  await openOwnTrace(page, `?step=${step}`);
}

/** Builds the trace of a checkout as the SDK sends it after leaving out the values of `charge` to stay within the CPU budget. */
function withoutCharge(): Readonly<Record<string, unknown>> {
  const { flow, ...trace } = checkout('GB');
  const steps = (Array.isArray(flow) ? flow : []).map((step) =>
    step.stepId === 'charge' ? { ...step, inputs: undefined } : step,
  );
  const attributes = { 'throughline.cpuBudget': { withoutValues: ['charge in src/checkout.ts, line 10'] } };
  return { ...trace, attributes, flow: steps };
}

test("a step's panel gives the reason for a missing value, and does not name values that a step need not have", async ({
  page,
  ada,
}) => {
  await openStep(page, ada, withoutCharge(), 'charge');
  await expect(details(page, 'charge')).toContainText(
    'Not captured: parameters, local variables, return value, inputs (recorded without values, to stay within the CPU budget).',
  );
  await expectAccessibleInBoth(page, 'a step with missing values');
  await page
    .getByRole('tree', { name: 'Steps' })
    .getByRole('treeitem', { name: /taxFor/ })
    .click();
  await expect(details(page, 'taxFor').getByRole('tree', { name: 'Return value' })).toBeVisible();
  await expect(details(page, 'taxFor')).not.toContainText('Not captured');
});

test('the panel of a call that threw says why the call has no return value @long', async ({ page, ada }) => {
  await openStep(page, ada, checkout('UK'), 'taxFor');
  await expect(details(page, 'taxFor')).toContainText('No return value: the function threw.');
  await expect(details(page, 'taxFor')).not.toContainText('Not captured');
});
