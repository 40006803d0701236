import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { readClipboard } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { sendTraces } from '../harness/traces/traces.ts';

const failed = () => checkoutTrace({ at: new Date(), country: 'UK', user: 'u-9', withSource: true });
const paid = () => checkoutTrace({ at: new Date(), country: 'GB', user: 'u-1', withSource: true });
const source = (page: Page, name: string) => page.getByRole('list', { name: `Source of ${name}` });
const line = (page: Page, name: string, text: string) =>
  source(page, name).getByRole('listitem').filter({ hasText: text });

async function open(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await page
    .getByRole('tree', { name: 'Steps' })
    .getByRole('treeitem', { name: new RegExp(name) })
    .click();
}

test('a failed request opens on the line that threw, with the values that it read @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failed()]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  const thrown = line(page, 'taxFor', 'Threw here');
  await expect(thrown).toContainText('const rate = entry.rate;');
  await expect(thrown).toContainText('entry undefined');
  await expect(thrown).toContainText("threw TypeError: Cannot read properties of undefined (reading 'rate')");
  await expect(line(page, 'taxFor', 'RATES.get')).toContainText('country "UK"');
  await expect(line(page, 'taxFor', 'RATES.get')).toContainText(' ran');
  await expect(line(page, 'taxFor', 'const tax')).toContainText('not reached');
  await expect(line(page, 'taxFor', 'return tax')).toHaveText(/return tax; not reached$/);
  await expectAccessibleInBoth(page, 'the source of a step');
  await page.reload();
  await expect(thrown).toContainText('entry undefined');
});

test('a secret in the code is redacted, and the whole function can be copied @long', async ({
  page,
  context,
  ada,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUpWithTraces(page, ada, [failed()]);
  await open(page, 'placeOrder');
  await expect(line(page, 'placeOrder', 'connect')).toContainText("connect({ apiKey: '‹redacted›' })");
  await page.getByRole('button', { name: 'Copy source' }).click();
  await expect
    .poll(() => readClipboard(page))
    .toContain('const tax = taxFor(country, total);\n  return charge');
  expect(await readClipboard(page)).not.toContain('plum-tree-9');
});

test('a long function shows its beginning, and expands on request @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [paid()]);
  await open(page, 'charge');
  await expect(source(page, 'charge').getByRole('listitem')).toHaveCount(39);
  await page.getByRole('button', { name: 'Show all 83 lines' }).press('Enter');
  await expect(line(page, 'charge', 'return send')).toContainText('121');
});

test('the source panel shows an error and loads on retry, and explains once why a trace may have no source code @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const without = checkoutTrace({ at: new Date(Date.now() - 60_000), country: 'DE', user: 'u-2' });
  await sendTraces(page, [failed(), without], { name: 'orders', runtime: 'node 24.11.1' });
  await page.route('**/source?*', (route) => route.abort());
  await open(page, 'taxFor');
  const notice = page
    .getByRole('region', { name: /^Step 2/ })
    .filter({ hasText: 'The source could not be loaded.' });
  await expect(notice).toBeVisible();
  await page.unroute('**/source?*');
  await notice.getByRole('button', { name: 'Try Again' }).click();
  await expect(source(page, 'taxFor')).toBeVisible();
  await page.getByRole('button', { name: 'Next trace' }).click();
  await expect(page.getByRole('region', { name: /^Step \d: (placeOrder|charge)/ })).toBeVisible();
  await expect(page.getByRole('list', { name: /^Source of/ })).toHaveCount(0);
  const reason = page.getByText('No source code was sent: either it is turned off');
  await expect(page.getByRole('region', { name: /^Step \d: / }).locator(reason)).toBeVisible();
  await page.getByRole('tab', { name: 'Source' }).click();
  await expect(page.getByRole('listbox', { name: 'Files and functions' })).toBeVisible();
  await expect(reason).toHaveCount(1);
  await expectAccessibleInBoth(page, 'the tab Source without source code');
});

test('code fits every width @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failed()]);
  await open(page, 'taxFor');
  await expect(source(page, 'taxFor')).toBeVisible();
  for (const width of [1440, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(source(page, 'taxFor')).toBeVisible();
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(measureOverflow, `at ${width}`).toBeLessThanOrEqual(0);
    if (process.env.PICTURES !== undefined)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${process.env.PICTURES}/source-${width}-${colorScheme}.png` });
      }
  }
});

test('the Source tab keeps the selected function in view when source code above the function is loaded @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [paid()]);
  await openOwnTrace(page, '?view=files&step=charge');
  const list = page.getByRole('listbox', { name: 'Files and functions' });
  const name = list
    .getByRole('option', { name: /charge/ })
    .getByText('charge')
    .first();
  for (const size of [
    { width: 1440, height: 480 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize(size);
    await page.reload();
    await expect(list.getByRole('option', { name: /charge/ })).toContainText("log('step 0', amount);");
    await expect(name).toBeInViewport();
  }
});

test("the Source tab shows the functions of each file with the failing call's values, and steps through the calls @long", async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failed()]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await page.getByRole('tab', { name: 'Source' }).click();
  const list = page.getByRole('listbox', { name: 'Files and functions' });
  const tax = list.getByRole('option', { name: /taxFor/ });
  await expect(tax).toContainText('const rate = entry.rate;');
  await expect(tax).toContainText('entry undefined');
  const order = list.getByRole('option', { name: /placeOrder/ });
  await order.click();
  await expect(page.getByRole('region', { name: /^Step 1: placeOrder/ })).toBeVisible();
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('region', { name: /^Step 2: taxFor/ })).toBeVisible();
  await expectAccessibleInBoth(page, 'the tab Source');
  for (const width of [1440, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(measureOverflow, `at ${width}`).toBeLessThanOrEqual(0);
    if (process.env.PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.PICTURES}/source-tab-${width}.png` });
  }
});

test('the Source tab lists functions in the order of their first calls, or by line, and Enter shows a long function whole', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [paid()]);
  await openOwnTrace(page, '?view=files&order=lines&step=charge');
  const list = page.getByRole('listbox', { name: 'Files and functions' });
  const functions = list.getByRole('option', { name: /^src\/checkout\.ts/ });
  const order = page.getByRole('radiogroup', { name: 'Order of functions' });
  await expect(functions).toContainText(['taxForstep 2', 'placeOrderstep 1', 'chargestep 3']);
  await order.getByText('By call').click();
  await expect(functions).toContainText(['placeOrderstep 1', 'taxForstep 2', 'chargestep 3']);
  await expect(page).not.toHaveURL(/order=/);
  const lines = functions.last().locator('li');
  await expect(lines).toHaveCount(39);
  await expect(functions.last()).toHaveAccessibleName(/Enter shows the whole function$/);
  await list.focus();
  await page.keyboard.press('Enter');
  await expect(lines).toHaveCount(83);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('tab', { name: 'Source' }).click();
  await expect(lines).toHaveCount(83);
});

test('the controls of the Source tab keep their place when the source code arrives @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failed()]);
  const arrived = Promise.withResolvers<void>();
  await page.route('**/source?*', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  const menu = page.getByRole('button', { name: 'Follow a value' });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await openOwnTrace(page, '?view=files');
    const before = await menu.boundingBox();
    arrived.resolve();
    await expect(page.getByText('no mark: not known').first()).toBeVisible();
    expect(await menu.boundingBox()).toEqual(before);
  }
});
