import { expect, test } from '@playwright/test';
import { ada, createProject, fillLogin, register, registerOrganization } from '../harness/people/people.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

const unavailable = { status: 503, json: { error: { code: 'unavailable', message: 'Come back later.' } } };

test('screenshots show Raw Traces, and the timeline, the flame graph and the page of a trace', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: product.url });
  await register(page, ada);
  await page.goto('/raw-traces');
  await expect(page.getByText('No traces found').or(page.getByText('No projects yet'))).toBeVisible();
  await shoot(page, 'raw-traces-none');
  await createProject(page, 'orders');
  const now = Date.now();
  const plain = Array.from({ length: 12 }, (_, index) =>
    plainRequest(`/parts/${index}`, new Date(now - index * 60_000)),
  );
  await sendTraces(page, [failedOrder(new Date(now)), ...plain]);
  await page.goto('/raw-traces');
  const row = page.getByRole('row', { name: /\/orders\/17/ });
  await expect(row).toBeVisible();
  await shoot(page, 'raw-traces');
  await row.getByRole('button', { name: 'View Raw' }).click();
  await expect(page.getByRole('tree', { name: 'Trace as JSON' })).toBeVisible();
  await shoot(page, 'raw-trace');
  await page.route('**/api/traces?**', (route) => route.fulfill(unavailable));
  await page.goto('/raw-traces');
  await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' }).first()).toBeVisible();
  await shoot(page, 'raw-traces-failing');
  await page.unroute('**/api/traces?**');
  await page.goto('/dashboard');
  await row.getByRole('button', { name: 'View' }).click();
  for (const tab of ['Timeline', 'Flame graph']) {
    await page.getByRole('tab', { name: tab }).click();
    await shoot(page, `trace-${tab.toLowerCase().replace(' ', '-')}`);
  }
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await shoot(page, 'trace-page');
  await page.goto('/traces/nonsense');
  await expect(page.getByRole('heading', { name: 'Trace not found' })).toBeVisible();
  await shoot(page, 'trace-not-found');
});

test('screenshots show error pages and confirmation dialogs', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: product.url });
  await page.goto('/reset-password?token=nonsense');
  await shoot(page, 'reset-password');
  await page.goto('/invite/nonsense');
  await expect(page.getByRole('alert')).toBeVisible();
  await shoot(page, 'invite-invalid');
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({ json: { requires2FA: true, tempToken: 'x' } }),
  );
  await page.goto('/login');
  await fillLogin(page, ada);
  await expect(page.getByLabel('Authenticator code')).toBeVisible();
  await shoot(page, 'login-second-step');
  await page.unroute('**/api/auth/login');
  await registerOrganization(page, { ...ada, email: 'grace@example.com' }, 'Compilers');
  const period = {
    currentPeriodStart: '2026-11-01T00:00:00.000Z',
    currentPeriodEnd: '2026-12-01T00:00:00.000Z',
  };
  const notice = {
    kind: 'quota_80',
    message: '80 % of the traces of this month are used.',
    since: '2026-11-20T00:00:00.000Z',
  };
  await page.route('**/api/usage', (route) =>
    route.fulfill({
      json: {
        usage: { plan: 'free_trial', traces: { used: 800, limit: 1000 }, ...period, notices: [notice] },
      },
    }),
  );
  await page.goto('/projects');
  await expect(page.getByText(notice.message)).toBeVisible();
  await shoot(page, 'usage-banner');
  await page.route(/\/api\/(organizations|auth\/sessions|auth\/2fa|billing)/, (route) =>
    route.fulfill(unavailable),
  );
  for (const [name, path] of Object.entries({
    users: '/users',
    'settings-security': '/settings?tab=security',
    'settings-2fa': '/settings?tab=2fa',
    billing: '/billing',
  })) {
    await page.goto(path);
    await expect(page.getByRole('alert').filter({ hasText: /load/ })).toBeVisible();
    await shoot(page, `${name}-failing`);
  }
});
