import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { findForcedColourFaults } from '../harness/browser/forced-colours.ts';
import { functionCard } from '../harness/pages/function-graph.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { paidOrderTrace } from '../harness/traces/paid-order.ts';

const BUYER = encodeURIComponent(JSON.stringify(['saveOrder', 'parameters', 'buyer']));
const arrows = (page: Page) =>
  page.getByRole('group', { name: 'Path of the followed value' }).getByRole('img');
const functions = (page: Page) => page.getByRole('search', { name: 'Functions' });

/**
 * The accessible names of the arrows between the numbered places of a value's path. Each name states a place, and the place from which the
 * value came.
 */
const SENTENCES = [
  'Place 2: parameter customer.id of placeOrder, from body customer.id of the request, equal text',
  'Place 3: parameter buyer of saveOrder, from parameter customer.id of placeOrder, equal text',
  'Place 4: input params[0] of INSERT orders, from parameter buyer of saveOrder, equal text',
  'Place 5: input to of notify, from parameter customer.id of placeOrder, equal text',
  'Place 6: input url of POST https://mail.test/send, from input to of notify, within a longer text',
];

async function openOrder(page: Page, ada: Account, query: string): Promise<void> {
  await signUpWithTraces(page, ada, [paidOrderTrace(new Date(Date.now() - 5000))]);
  await openOwnTrace(page, `?view=flow&graph=functions&${query}`);
  await expect(functionCard(page, 'saveOrder')).toBeVisible();
}

async function expectPath(page: Page): Promise<void> {
  await expect(arrows(page)).toHaveCount(SENTENCES.length);
  for (const name of SENTENCES) await expect(arrows(page).and(page.getByLabel(name))).toHaveCount(1);
}

test('the graph of functions draws the path of the value in the URL, and the list and a reload keep the path', async ({
  page,
  ada,
}) => {
  await openOrder(page, ada, `step=saveOrder&origin=${BUYER}`);
  await expectPath(page);
  await expect(functionCard(page, 'saveOrder')).toHaveAccessibleName(
    /has the value that you follow, place 3$/,
  );
  for (const name of ['placeOrder', 'saveOrder', 'INSERT orders', 'notify', 'POST https'])
    await expect(functionCard(page, name)).toBeInViewport({ ratio: 0.99 });
  await expect(functions(page)).toContainText('buyer in 5 functions');
  await expectAccessibleInBoth(page, 'the path of a value in the graph of functions');
  expect(await findForcedColourFaults(page)).toEqual([]);
  await page.reload();
  await expectPath(page);
  await page.getByRole('radiogroup', { name: 'Show as' }).getByText('List').click();
  await expect(
    page.getByRole('list', { name: 'Flow as a list' }).getByText(/^has the value that you follow, place \d$/),
  ).toHaveCount(5);
});

test("a value of the selected call is followed by keyboard from the graph's menu, and its path can be closed @long", async ({
  page,
  ada,
}) => {
  await openOrder(page, ada, 'step=saveOrder');
  await expect(arrows(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Follow a value' }).focus();
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitem');
  await expect(items.first()).toContainText('buyer "u-71b2"');
  await expect(items.filter({ hasText: 'password' })).toHaveCount(0);
  await expectAccessibleInBoth(page, 'the values that can be followed');
  await items.first().focus();
  await page.keyboard.press('Enter');
  await expectPath(page);
  await expect(page).toHaveURL(/origin=/);
  await expect(page.getByRole('region', { name: 'Where buyer came from' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(arrows(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Follow a value' })).toBeVisible();
  await functionCard(page, 'notify').click();
  await page.getByRole('button', { name: 'Follow a value' }).click();
  await expect(items).toHaveText(['to "u-71b2"']);
});

test('while the pointer or the focus is on a function, the arrows of a followed value at this function show the passed value @long', async ({
  page,
  ada,
}) => {
  await openOrder(page, ada, `step=insertOrder&origin=${BUYER}`);
  const label = (text: string) => page.getByText(text, { exact: true });
  await expect(label('buyer as params[0], equal text')).toBeVisible();
  await expect(label('customer.id as to, equal text')).toHaveCount(0);
  await functionCard(page, 'notify').hover();
  await expect(label('customer.id as to, equal text')).toBeVisible();
  await functionCard(page, 'notify').focus();
  await page.getByRole('searchbox', { name: /^Find steps/ }).hover();
  await expect(label('to as url, within a longer text')).toBeVisible();
});

for (const width of [1440, 900, 360])
  test(`the path of a value fits the graph of functions at a width of ${width} px @long`, async ({
    page,
    ada,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await openOrder(page, ada, `step=saveOrder&origin=${BUYER}`);
    await expect(arrows(page).first()).toBeAttached();
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(measureOverflow).toBeLessThanOrEqual(0);
  });
