import { expect, type Page, test } from '@playwright/test';
import { signUpWithFigures, TABS } from '../harness/pages/analytics.ts';
import { ada } from '../harness/people/people.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { sendBusyWeek } from '../harness/traces/busy-week.ts';
import { shootWhole } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

/** Matches the API calls for figures, but not `analytics/extent`: without its response, the page shows no tabs. */
const FIGURES = /\/api\/(dashboard\/overview|analytics\/(?!extent))/;

async function eachTab(page: Page, state: string, ready: () => Promise<void>): Promise<void> {
  for (const { id } of TABS) {
    await page.goto(`/analytics?tab=${id}${state === 'compared' ? '&compare=previous' : ''}`);
    await ready();
    await shootWhole(page, `analytics-${id}-${state}`);
  }
}

test('screenshots show each tab of Analytics with data, without data, while it loads and after a failure', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await signUpWithFigures(page, ada, 'Analytical Engines', []);
  const there = (text: string) => () => page.getByText(text).first().waitFor();
  for (const { id, empty } of TABS) {
    await page.goto(`/analytics?tab=${id}`);
    await there(empty)();
    await shootWhole(page, `analytics-${id}-empty`);
  }
  await sendBusyWeek(page);
  const drawn = () => page.getByRole('figure').first().waitFor();
  await eachTab(page, 'figures', drawn);
  await eachTab(page, 'compared', drawn);
  await page.route(FIGURES, () => new Promise<void>(() => undefined));
  await eachTab(page, 'loading', () => page.getByRole('tab', { name: 'Overview' }).waitFor());
  await page.unroute(FIGURES);
  await page.route(FIGURES, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Come back later.' } } }),
  );
  await eachTab(page, 'failing', () => expect(page.getByRole('alert').first()).toBeVisible());
});
