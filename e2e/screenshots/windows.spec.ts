import { expect, test } from '@playwright/test';
import { fillLogin } from '../harness/people/people.ts';
import { type Product, startWithDemo } from '../harness/server/product.ts';
import { shootWindows } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startWithDemo();
});
test.afterAll(() => product.stop());

const PAGES = {
  dashboard: '/dashboard',
  grouped: '/dashboard?groupBy=endpoint',
  raw: '/raw-traces',
  projects: '/projects',
  overview: '/analytics?tab=overview',
  performance: '/analytics?tab=performance',
  errors: '/analytics?tab=errors',
  flows: '/analytics?tab=flows',
  system: '/analytics?tab=system',
  users: '/analytics?tab=users',
  business: '/analytics?tab=business',
  people: '/users',
  billing: '/billing',
  settings: '/settings',
} as const;

const VIEWS = ['timeline', 'flow', 'files', 'request', 'response'] as const;

test('every page of the demo in windows of every width', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  await page.goto('/');
  await shootWindows(page, 'landing');
  await page.goto('/login');
  await fillLogin(page, { email: 'owner@demo.example', password: 'throughline-demo' });
  const failed = page
    .getByRole('table', { name: 'Recent traces' })
    .getByRole('row', { name: /POST \/checkout.* 500/ })
    .first();
  await expect(failed).toBeVisible({ timeout: 120_000 });
  const id = await failed.getAttribute('data-row');
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await shootWindows(page, name);
  }
  for (const view of VIEWS) {
    await page.goto(`/traces/${id}?view=${view}`);
    await expect(page.locator('[role="tabpanel"], .react-flow__node').first()).toBeVisible();
    await shootWindows(page, `trace-${view}`);
  }
  await page.close();
});
