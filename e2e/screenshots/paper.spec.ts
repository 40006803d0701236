import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { chooseTime } from '../harness/pages/time-range.ts';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';
import { FOLDER, shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

/** Width and height of an A4 sheet at 96 dpi, in pixels. */
const A4 = { width: 794, height: 1123 };
const unavailable = { status: 503, json: { error: { code: 'unavailable', message: 'Come back later.' } } };

/** Sends requests that cover most of an hour, with more requests and more errors towards the end. */
async function fill(page: Page): Promise<void> {
  const now = Date.now();
  const plain = Array.from({ length: 60 }, (_, index) => {
    const at = new Date(now - index * index * 700);
    return {
      ...plainRequest(`/parts/${index}`, at),
      request: { method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'][index % 5], path: `/parts/${index}` },
      response: { statusCode: [200, 200, 302, 200, 404, 200, 500][index % 7] },
      timing: { startTime: at.toISOString(), duration: 2 + ((index * 137) % 1300) },
    };
  });
  await signUpWithTraces(page, ada, [
    failedOrder(new Date(now - 1000)),
    requestWith('/large', new Date(now - 2000), 300, () => ({})),
    ...plain,
  ]);
}

/** Saves screenshots of the printed page in both themes, and a PDF. */
async function print(page: Page, name: string): Promise<void> {
  await page.setViewportSize(A4);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ media: 'screen', colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await page.screenshot({ path: join(FOLDER, `${name}-print-${colorScheme}.png`), fullPage: true });
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  }
  await page.pdf({ path: join(FOLDER, `${name}.pdf`), format: 'A4' });
}

/** Takes screenshots in forced colours, which is a small palette that the user chooses. */
async function inForcedColours(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ forcedColors: 'active' });
  await page.screenshot({ path: join(FOLDER, `${name}-forced.png`) });
  await page.emulateMedia({ forcedColors: 'none' });
}

test('screenshots show lists with stats, with selected rows, printed, empty, loading and failed', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await fill(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('row', { name: /orders/ })).toBeVisible();
  await shoot(page, 'tiles-all');
  await chooseTime(page, 'Last 15 minutes');
  await expect(page.getByText(/points better|points worse/)).toBeVisible();
  await shoot(page, 'tiles-range');
  for (const index of [1, 3, 5]) {
    await page.getByRole('checkbox', { name: new RegExp(`/parts/${index}$`) }).click();
  }
  await shoot(page, 'list-selected');
  await inForcedColours(page, 'list-selected');
  await print(page, 'list');
  await page.goto('/dashboard?q=nowhere');
  await expect(page.getByText('No traces found')).toBeVisible();
  await shoot(page, 'list-nothing');
  await page.route(/\/api\/traces(\/|\?)/, (route) => route.fulfill(unavailable));
  await page.goto('/dashboard');
  await expect(page.getByText('Traces could not be loaded.')).toBeVisible();
  await shoot(page, 'list-failing');
  await page.unroute(/\/api\/traces(\/|\?)/);
  await page.route(/\/api\/traces(\/|\?)/, () => undefined);
  await page.goto('/dashboard');
  await expect(page.getByText('Loading stats…')).toBeAttached();
  await shoot(page, 'list-waiting');
});

test('screenshots show a trace with a small and with a large graph, printed, in forced colours and loading', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  const person = { ...ada, email: 'grace@example.com' };
  const at = new Date();
  const large = requestWith('/large', at, 300, () => ({}));
  await signUpWithTraces(page, person, [failedOrder(at), large]);
  for (const [name, path] of [
    ['small', /orders/],
    ['large', /large/],
  ] as const) {
    await page.goto('/dashboard');
    await page.getByRole('row', { name: path }).getByRole('button', { name: 'Graph' }).click();
    await expect(page.locator('.react-flow__node').first()).toBeVisible();
    await shoot(page, `flow-${name}`);
  }
  await page.goto('/dashboard');
  await page
    .getByRole('row', { name: /orders/ })
    .getByRole('button', { name: 'View' })
    .click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page.getByRole('treeitem', { name: /taxOf/ })).toBeVisible();
  await inForcedColours(page, 'trace');
  await print(page, 'trace');
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const tab of ['Timeline', 'Flame graph', 'Request']) {
    await page.getByRole('tab', { name: tab }).click();
    await print(page, `trace-${tab.toLowerCase().replace(' ', '-')}`);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await page.route(/\/api\/traces\/[0-9a-f-]{36}/, () => undefined);
  const address = page.url();
  await page.goto('/dashboard');
  await page.goto(address);
  await expect(page.getByRole('status').filter({ hasText: 'Loading' }).first()).toBeAttached();
  await shoot(page, 'trace-waiting');
});
