import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name: `Where ${name} came from` });
const source = (page: Page, name: string) => page.getByRole('list', { name: `Source of ${name}` });
const functions = (page: Page) => page.getByRole('listbox', { name: 'Files and functions' });
const menuItem = (page: Page, text: string) => page.getByRole('menuitem').filter({ hasText: text });

async function openCheckout(page: Page, ada: Account, query: string): Promise<void> {
  const at = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const good = [60, 90].map((seconds) => checkoutTrace({ at: at(seconds), country: 'GB', user: 'u-1' }));
  const failed = checkoutTrace({ at: at(5), country: 'UK', user: 'u-9', withSource: true });
  await signUpWithTraces(page, ada, [failed, ...good]);
  await openOwnTrace(page, query);
}

test("a value in the code of a step's panel is followed by pointer or keyboard", async ({ page, ada }) => {
  await openCheckout(page, ada, '?step=taxFor');
  const lookup = source(page, 'taxFor').getByRole('listitem').filter({ hasText: 'RATES.get' });
  await lookup.getByRole('button', { name: 'country "UK". Where did country come from?' }).click();
  await expect(panel(page, 'country')).toContainText("country came from the request's body, field country");
  await expect(panel(page, 'country')).toBeFocused();
  await page.getByRole('button', { name: 'Close path' }).click();
  await expect(panel(page, 'country')).toHaveCount(0);

  // The Tab key stops only once in the code: at one of the values.
  const values = source(page, 'taxFor').getByRole('button');
  await expect(values.and(page.locator('[tabindex="0"]'))).toHaveCount(1);
  await values.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(values.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(panel(page, 'country')).toBeFocused();
  await expectAccessibleInBoth(page, 'code whose values can be followed');
});

test('a value in the code has no button if requests cannot be searched for the value @long', async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, '?step=taxFor');
  await expect(source(page, 'taxFor')).toContainText('entry undefined');
  await expect(source(page, 'taxFor').getByRole('button', { name: /^entry/ })).toHaveCount(0);
  await expect(source(page, 'taxFor').getByRole('button', { name: /^threw/ })).toHaveCount(0);
});

test('a value in the tab Source is followed by pointer, and by the key w and a menu', async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, '?view=files&step=taxFor');
  const tax = functions(page).getByRole('option', { name: /taxFor/ });
  await functions(page)
    .getByRole('option', { name: /placeOrder/ })
    .click();
  await expect(page.getByRole('region', { name: /^Step 1: placeOrder/ })).toBeVisible();
  // Until the source code is loaded, a row lists values that cannot be followed.
  await tax.getByTitle('Where did it come from? (w)').filter({ hasText: 'country "UK"' }).first().click();
  await expect(panel(page, 'country')).toContainText("country came from the request's body, field country");
  await expect(page.getByRole('region', { name: /^Step 2: taxFor/ })).toBeVisible();
  await page.getByRole('button', { name: 'Close path' }).click();

  await functions(page).focus();
  await page.keyboard.press('w');
  await expect(menuItem(page, 'country "UK"')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(functions(page)).toBeFocused();
  await page.keyboard.press('w');
  await expect(menuItem(page, 'country "UK"')).toHaveCount(1);
  await expect(menuItem(page, 'entry')).toHaveCount(0);
  await expectAccessibleInBoth(page, 'the values of a function in the tab Source');
  await menuItem(page, 'country "UK"').press('Enter');
  await expect(panel(page, 'country')).toBeFocused();
});

test('in a comparison, a value of this request leads to the path of the value, and the back button leads back to the comparison', async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, '?compare=good&step=taxFor');
  const values = page.getByRole('region', { name: 'Values of taxFor' });
  const row = values.getByRole('row', { name: /^country/ }).first();
  await row.getByRole('button', { name: 'Where did country come from?' }).click();
  await expect(panel(page, 'country')).toContainText("country came from the request's body, field country");
  await expect(panel(page, 'country')).toBeFocused();
  await expect(page.getByRole('region', { name: /^Step 2: taxFor/ })).toBeVisible();
  await page.goBack();
  await expect(values).toBeVisible();
  await expectAccessibleInBoth(page, 'a comparison whose values can be followed');
});

test("in a comparison, asking where a value of the other request came from opens that request at the value's step, also by keyboard", async ({
  page,
  ada,
}) => {
  await openCheckout(page, ada, '?compare=good&step=taxFor');
  const inputs = page.getByRole('tree', { name: 'Other request: Inputs' });
  await inputs.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('w');
  await expect(panel(page, 'country')).toContainText('"GB"');
  await expect(page.getByRole('region', { name: /^Step 2: taxFor/ })).toBeVisible();
  await expect(page).not.toHaveURL(/compare=/);
  await page.goBack();
  await expect(page.getByRole('region', { name: 'Comparison' })).toBeVisible();
  const row = page.getByRole('row', { name: /^country/ }).first();
  await row.getByRole('button', { name: 'Where did country of the other request come from?' }).press('Enter');
  await expect(panel(page, 'country')).toContainText('"GB"');
});
