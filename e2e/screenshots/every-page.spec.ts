import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { ada, createProject, fillLogin, register } from '../harness/people/people.ts';
import { type Product, startWithDemo } from '../harness/server/product.ts';
import { FOLDER, shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startWithDemo();
});
test.afterAll(() => product.stop());

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(product.url + path);
}

test('screenshots show the pages before the first trace', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  await goTo(page, '/login');
  await shoot(page, 'login');
  await fillLogin(page, { email: 'nobody@example.com', password: 'wrong' });
  await expect(page.getByRole('alert')).toBeVisible();
  await shoot(page, 'login-refused');
  await goTo(page, '/register');
  await page.getByRole('radio', { name: /solo/i }).click();
  await shoot(page, 'register-type');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await shoot(page, 'register-solo-refused');
  await register(page, ada);
  await expect(page.getByText('No projects yet')).toBeVisible();
  await shoot(page, 'dashboard-no-projects');
  await goTo(page, '/projects');
  await expect(page.getByText('No projects yet')).toBeVisible();
  await shoot(page, 'projects-none');
  await createProject(page, 'My first service');
  await shoot(page, 'projects-new');
  await goTo(page, '/dashboard');
  await expect(page.getByText('Waiting for your first trace…')).toBeVisible();
  await shoot(page, 'dashboard-waiting');
  await goTo(page, '/nowhere');
  await shoot(page, 'not-found');
  await page.close();
});

test('screenshots show the pages with the data of the demo', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  await goTo(page, '/login');
  await fillLogin(page, { email: 'owner@demo.example', password: 'throughline-demo' });
  const table = page.getByRole('table', { name: 'Recent traces' });
  const failed = table.getByRole('row', { name: /POST \/checkout.* 500/ }).first();
  await expect(failed).toBeVisible({ timeout: 120_000 });
  await shoot(page, 'dashboard');
  await goTo(page, '/dashboard?status=error');
  await failed.waitFor();
  await shoot(page, 'dashboard-errors');
  await page.getByRole('button', { name: 'Pause live traces' }).click();
  await failed.getByRole('button', { name: 'View' }).click();
  const details = page.getByRole('dialog', { name: 'Trace details' });
  await details.getByRole('tree', { name: 'Local variables' }).waitFor();
  // Takes the picture for the README in the light theme. The pointer is in a corner, away from the content.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.mouse.move(1430, 890);
  await page.screenshot({ path: join(FOLDER, 'readme.png'), animations: 'disabled' });
  await shoot(page, 'trace-failed', details.getByRole('tree', { name: 'Local variables' }));
  for (const tab of ['Request', 'Response', 'Performance']) {
    await details.getByRole('tab', { name: tab }).click();
    await shoot(page, `trace-${tab.toLowerCase()}`);
  }
  await details.getByRole('button', { name: 'Flow graph' }).click();
  await shoot(page, 'flow-graph', page.locator('.react-flow__node-entry').filter({ hasText: 'taxFor' }));
  await page.getByText('List', { exact: true }).click();
  await shoot(page, 'flow-list');

  await goTo(page, '/dashboard?q=no-such-path');
  await expect(page.getByText('No traces found')).toBeVisible();
  await shoot(page, 'dashboard-nothing-found');
  await goTo(page, '/projects');
  await page.getByRole('article', { name: 'shop' }).waitFor();
  await shoot(page, 'projects');
  await page.getByRole('button', { name: 'Manage API Key' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy API key' })).toBeVisible();
  await shoot(page, 'api-key');

  const never = new Promise<void>(() => undefined);
  await page.route('**/api/traces?*', () => never);
  await goTo(page, '/dashboard');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await shoot(page, 'dashboard-loading');
  await page.unroute('**/api/traces?*');
  await page.route('**/api/traces?*', (route) =>
    route.fulfill({
      status: 500,
      json: {
        error: { code: 'internal_error', message: 'Something went wrong.', requestId: 'req-17' },
        message: 'x',
      },
    }),
  );
  await goTo(page, '/dashboard');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await shoot(page, 'dashboard-failing');
  await page.close();
});
