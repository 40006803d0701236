import { expect, type Page, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { hostileText } from '../harness/traces/extreme-traces.ts';
import { orderOfServices } from '../harness/traces/order-of-services.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

const unavailable = { status: 503, json: { error: { code: 'unavailable', message: 'Come back later.' } } };

/** Sends about forty requests within an hour. Some of them failed, and one calls another service. */
async function fill(page: Page): Promise<void> {
  const now = Date.now();
  const { shop, pay } = orderOfServices(new Date(now - 1000));
  const plain = Array.from({ length: 40 }, (_, index) => ({
    ...plainRequest(`/parts/${index}`, new Date(now - index * index * 1500)),
    response: { statusCode: index % 9 === 0 ? 500 : 200 },
    timing: {
      startTime: new Date(now - index * index * 1500).toISOString(),
      duration: 2 + ((index * 37) % 900),
    },
  }));
  await signUpWithTraces(page, ada, [shop, plainRequest('/empty', new Date(now)), ...plain]);
  await sendTraces(page, [pay], 'payments');
}

test('screenshots show the step filter, sequence, source, lanes and charts of a trace', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await fill(page);
  await page.goto('/dashboard');
  const order = page.getByRole('row', { name: /POST \/orders\/17/ });
  await expect(order).toBeVisible();
  await expect(page.getByRole('application', { name: /^Durations/ })).toBeVisible();
  await shoot(page, 'list-charts');
  await page.getByRole('button', { name: 'Columns, rows and times' }).click();
  await shoot(page, 'list-columns');
  await page.getByRole('button', { name: 'Columns, rows and times' }).click();
  await page.keyboard.press('Control+k');
  await shoot(page, 'palette');
  await page.keyboard.press('Escape');
  await order.getByRole('button', { name: 'View' }).click();
  for (const tab of ['Sequence', 'Source']) {
    await page.getByRole('tab', { name: tab }).click();
    await shoot(page, `view-${tab.toLowerCase()}`);
  }
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: 'Open code in an editor…' }).click();
  await shoot(page, 'view-editor');
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: 'test-results/print.png' });
});

test('screenshots show the views of traces that are empty, loading, failed, or contain hostile values', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  const person = { ...ada, email: 'grace@example.com' };
  const at = new Date();
  await signUpWithTraces(page, person, [failedOrder(at), plainRequest('/empty', at), hostileText(at)]);
  await page.goto('/dashboard');
  const row = (name: RegExp) => page.getByRole('row', { name });
  await row(/GET \/empty/)
    .getByRole('button', { name: 'View' })
    .click();
  for (const tab of ['Sequence', 'Source', 'Flame graph']) {
    await page.getByRole('tab', { name: tab }).click();
    await shoot(page, `none-${tab.toLowerCase().replace(' ', '-')}`);
  }
  await page.goto('/dashboard');
  await row(/script/)
    .getByRole('button', { name: 'View' })
    .click();
  for (const tab of ['Timeline', 'Sequence', 'Source']) {
    await page.getByRole('tab', { name: tab }).click();
    await shoot(page, `hostile-${tab.toLowerCase()}`);
  }
  await page.goto('/dashboard');
  await page.route(/\/api\/traces\/[0-9a-f-]{36}/, (route) => route.fulfill(unavailable));
  await row(/orders/)
    .getByRole('button', { name: 'View' })
    .click();
  await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toBeVisible();
  await shoot(page, 'trace-failing');
});
