import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import type { Account } from '../harness/people/people.ts';
import { signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { paidOrderTrace } from '../harness/traces/paid-order.ts';

const steps = (page: Page) => page.getByRole('tree', { name: 'Steps' });
const selectedStep = (page: Page) => steps(page).getByRole('treeitem', { selected: true });
const values = (page: Page, title: string) => page.getByRole('tree', { name: title, exact: true });
const panel = (page: Page, name: string) => page.getByRole('region', { name: `Where ${name} came from` });
const path = (page: Page) => page.getByRole('list', { name: 'Path of the value' });

async function openStep(page: Page, ada: Account, step: string): Promise<void> {
  await signUpWithTraces(page, ada, [paidOrderTrace(new Date(Date.now() - 5000))]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await steps(page).getByRole('treeitem').filter({ hasText: step }).first().click();
  await expect(selectedStep(page)).toContainText(step);
}

async function ask(page: Page, title: string, name: string): Promise<void> {
  // The button can be clicked only while the pointer is over the row. A page that is still loading moves the row, so the test repeats
  // pointing at the row and clicking the button.
  await expect(async () => {
    await values(page, title).getByRole('treeitem').filter({ hasText: name }).hover();
    await page.getByRole('button', { name: `Where did ${name} come from?` }).click({ timeout: 2000 });
  }).toPass();
}

const LINKS = [
  'Request body customer.id equal text',
  'placeOrder parameter customer.id equal text',
  'saveOrder parameter buyer this value',
  'INSERT orders input params[0] equal text',
  'notify input to equal text',
  'POST https://mail.test/send input url within a longer text',
];

test("a value is followed from the request's body to a query and to another server", async ({
  page,
  ada,
}) => {
  await openStep(page, ada, 'saveOrder');
  await ask(page, 'Parameters', 'buyer');
  await expect(panel(page, 'buyer')).toContainText("buyer came from the request's body, field customer.id");
  await expect(path(page).getByRole('button')).toHaveText(
    LINKS.map((text) => new RegExp(text.split(' ').map(escaped).join('\\s*'))),
  );
  await expect(steps(page).getByRole('treeitem', { name: 'has the value that you follow' })).toHaveCount(5);
  await expectAccessibleInBoth(page, 'the path of a value');
});

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

test('a click on a position in the path of a value selects the step of this position, and the URL keeps the path and the step @long', async ({
  page,
  ada,
}) => {
  await openStep(page, ada, 'saveOrder');
  await ask(page, 'Parameters', 'buyer');
  await path(page).getByRole('button', { name: 'INSERT orders' }).click();
  await expect(selectedStep(page)).toContainText('INSERT orders');
  await expect(panel(page, 'buyer')).toBeVisible();
  await expect(page).toHaveURL(/step=insertOrder/);
  await page.reload();
  await expect(path(page).getByRole('button')).toHaveCount(6);
  await expect(selectedStep(page)).toContainText('INSERT orders');
  await path(page).getByRole('button', { name: 'Request body' }).click();
  await expect(page.getByRole('tab', { name: 'Request' })).toHaveAttribute('aria-selected', 'true');
});

test('a value can be followed and its path closed by keyboard alone @long', async ({ page, ada }) => {
  await openStep(page, ada, 'saveOrder');
  await values(page, 'Parameters').press('Home');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Where did buyer come from?' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page, 'buyer')).toBeFocused();
  await expect(path(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close path' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(selectedStep(page)).toContainText('placeOrder');
  await page.getByRole('button', { name: 'Close path' }).press('Enter');
  await expect(panel(page, 'buyer')).toHaveCount(0);
  await expect(steps(page).getByRole('treeitem', { name: 'has the value that you follow' })).toHaveCount(0);
  await values(page, 'Local variables').focus();
  await page.keyboard.press('w');
  await expect(panel(page, 'number')).toContainText(
    'number came from the result of INSERT orders, field rows[0].id',
  );
});

test('a value of the response is followed back to the query that it came from @long', async ({
  page,
  ada,
}) => {
  await openStep(page, ada, 'saveOrder');
  await page.getByRole('tab', { name: 'Response' }).click();
  await ask(page, 'Response body', 'order');
  await expect(panel(page, 'order')).toContainText(
    'order came from the result of INSERT orders, field rows[0].id',
  );
  await expectAccessibleInBoth(page, 'the path of a value of the response');
  await page.reload();
  await expect(panel(page, 'order')).toBeVisible();
  await path(page).getByRole('button', { name: 'INSERT orders' }).click();
  await expect(page.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true');
  await expect(selectedStep(page)).toContainText('INSERT orders');
  await path(page).getByRole('button', { name: 'Request body' }).waitFor({ state: 'detached' });
});

test("the panel explains why a value's origin is unknown @long", async ({ page, ada }) => {
  await openStep(page, ada, 'saveOrder');
  await ask(page, 'Parameters', 'password');
  await expect(panel(page, 'password')).toContainText(
    'This value was redacted. Its origin cannot be traced.',
  );
  await ask(page, 'Local variables', 'rate');
  await expect(panel(page, 'rate')).toContainText('No other step has this value.');
  await steps(page).getByRole('treeitem').filter({ hasText: 'placeOrder' }).click();
  await ask(page, 'Parameters', 'urgent');
  await expect(panel(page, 'urgent')).toContainText('Too common to follow');
});

test('the path of a value shows an error if it cannot be loaded, and loads on retry @long', async ({
  page,
  ada,
}) => {
  await openStep(page, ada, 'saveOrder');
  await page.route('**/value-origin?*', (route) => route.abort());
  await ask(page, 'Parameters', 'buyer');
  await expect(panel(page, 'buyer').getByRole('alert')).toContainText('The value could not be followed.');
  await page.unroute('**/value-origin?*');
  await panel(page, 'buyer').getByRole('button', { name: 'Try Again' }).click();
  await expect(path(page).getByRole('button')).toHaveCount(6);
});

test('the flow graph marks the steps of the path @long', async ({ page, ada }) => {
  await openStep(page, ada, 'saveOrder');
  await ask(page, 'Parameters', 'buyer');
  await page.getByRole('button', { name: 'Flow graph' }).click();
  await expect(path(page)).toBeVisible();
  await expect(
    page.getByRole('group', { name: /INSERT orders.*has the value that you follow/ }),
  ).toBeVisible();
  await page.getByText('List', { exact: true }).click();
  await expect(
    page.getByRole('list', { name: 'Flow as a list' }).getByText('has the value that you follow'),
  ).toHaveCount(5);
});

test('public viewers are not offered the path of a value, with or without a session @long', async ({
  page,
  ada,
  browser,
}) => {
  await openStep(page, ada, 'saveOrder');
  await expect(page).toHaveURL(/step=saveOrder/);
  await page.getByRole('link', { name: 'Open as page' }).click();
  await ask(page, 'Parameters', 'buyer');
  await expect(path(page)).toBeVisible();
  const address = page.url();
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const { projects } = await (await page.request.get('/api/projects', { headers })).json();
  const data = { public: true };
  const published = await page.request.patch(`/api/projects/${projects[0].id}`, { data, headers });
  expect(published.status()).toBe(200);

  const context = await browser.newContext({ baseURL: new URL(address).origin });
  const stranger = await context.newPage();
  const expectNoPath = async () => {
    await stranger.goto(address);
    await expect(values(stranger, 'Parameters')).toBeVisible();
    await expect(panel(stranger, 'buyer')).toHaveCount(0);
    await values(stranger, 'Parameters').getByRole('treeitem').filter({ hasText: 'buyer' }).hover();
    await expect(stranger.getByRole('button', { name: /^Where did / })).toHaveCount(0);
  };
  await expectNoPath();
  await signUp(stranger, { ...ada, email: `stranger.${ada.email}` });
  await expectNoPath();
  await context.close();
});

test('the path of a value fits every width @long', async ({ page, ada }) => {
  await openStep(page, ada, 'saveOrder');
  await ask(page, 'Parameters', 'buyer');
  await expect(path(page)).toBeVisible();
  for (const width of [1440, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(measureOverflow, `at ${width}`).toBeLessThanOrEqual(0);
  }
});
