import { expect, type Page, type Route, test } from '@playwright/test';
import { ada } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

/** Changes a response to report that the search over captured values has covered only the time from `since` on. */
function endAt(since: string): (route: Route) => Promise<void> {
  return async (route) => {
    const response = await route.fetch();
    const json: Record<string, unknown> = await response.json();
    await route.fulfill({ response, json: { ...json, search: { since, limit: 'matches' } } });
  };
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('group', { name: 'Active filters' })).toBeVisible();
}

test('screenshots show an excluded captured value, and charts that cover less time than their list', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  const now = Date.now();
  const others = Array.from({ length: 12 }, (_, index) =>
    plainRequest(`/parts/${index}`, new Date(now - index * 40_000)),
  );
  await signUpWithTraces(page, ada, [failedOrder(new Date(now - 10_000)), ...others]);
  await open(page, '/raw-traces?exclude=-value:country%3DUK');
  await shoot(page, 'value-excluded');
  await page.route('**/api/traces?*', endAt(new Date(now - 900_000).toISOString()));
  await page.route('**/api/traces/facets?*', endAt(new Date(now - 300_000).toISOString()));
  await open(page, '/raw-traces?exclude=-value:country%3DUK');
  await expect(page.getByText('The charts contain only requests since')).toBeVisible();
  await shoot(page, 'value-search-short-charts');
});
