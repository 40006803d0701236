import { expect } from '@playwright/test';
import { invite, signUpOrganization } from '../harness/people/organizations.ts';
import { fillLogin, register } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';

const PAGES = ['/app', '/dashboard', '/projects'];

test('a user without a session is sent to the login, and afterwards to the requested page', async ({
  page,
  ada,
}) => {
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login/);
  }
  await register(page, ada);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);

  await page.goto('/projects');
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, ada);
  await expect(page).toHaveURL(/\/projects$/);
});

test('the landing page shows an example trace and links to registration and login @long', async ({
  page,
}) => {
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      window.name += `${effectiveDirective} ${blockedURI} `;
    });
  });
  await page.goto('/');
  await expect(page).toHaveTitle('Throughline · Runtime Flow Visualizer');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('See what your backend really did');
  const titles = page.getByRole('region', { name: 'Features' }).getByRole('heading');
  await expect(titles).toHaveText([
    'Real-time Tracing',
    'Visual Analytics',
    'Team Collaboration',
    'Performance Monitoring',
    'Easy Integration',
    'Secure & Private',
  ]);
  const highlights = page.getByRole('main').getByRole('list').first().getByRole('listitem');
  await expect(highlights).toHaveText(['Real-time Tracing', 'Visual Debugging', 'Team Collaboration']);
  await expect(page.getByText('Trace your first request in five minutes')).toBeVisible();
  const example = page.getByRole('region', { name: /A failed checkout/ });
  const steps = example.getByRole('tree', { name: 'Steps' });
  await expect(steps.getByRole('treeitem', { selected: true })).toContainText('taxFor');
  await expect(example.getByRole('tree', { name: 'Local variables' })).toContainText('undefined');
  await steps.getByRole('treeitem', { name: /loadCart/ }).click();
  await expect(example.getByRole('region', { name: /loadCart/ })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toContainText('2025');
  await page.getByRole('banner').getByRole('link', { name: 'Get started' }).click();
  await expect(page).toHaveURL(/\/register/);
  await expect(page.getByRole('radio').first()).toBeVisible();
  expect(await page.evaluate(() => window.name), 'breaches of the content-security policy').toBe('');
});

test('the landing page claims enterprise-grade security, and names every plan with its price', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Features' })).toContainText('Enterprise-grade security');
  const prices = page.getByRole('region', { name: 'Prices' });
  const plans = {
    'Free Trial': '$0',
    Starter: '$19',
    'Solo Developer': '$49',
    Pro: '$149',
    'Enterprise Basic': '$499',
    'Enterprise Plus': '$799',
  };
  for (const [name, price] of Object.entries(plans)) {
    const heading = page.getByRole('heading', { name, exact: true });
    await expect(prices.getByRole('listitem').filter({ has: heading })).toContainText(price);
  }
  const reference = page.getByRole('link', { name: 'API reference (OpenAPI)' });
  const answer = await page.request.get((await reference.getAttribute('href')) ?? '');
  expect(await answer.json()).toHaveProperty('openapi');
});

test('a user who registers with an invitation can go back to the invitation @long', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  const organization = await signUpOrganization(page, ada, organizationName);
  const link = await invite(page, organization, grace);
  await page.evaluate(() => localStorage.clear());
  await page.goto(link);
  await page.getByRole('button', { name: 'Accept Invitation & Login' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(grace.email);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(link);
  await expect(page.getByRole('button', { name: 'Accept Invitation & Login' })).toBeVisible();
});

test('a signed-in user is sent from the login and registration pages to the dashboard @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto('/register');
  await expect(page).toHaveURL(/\/app/);
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Open the dashboard' }).click();
  await expect(page).toHaveURL(/\/app/);
  // The page must not redirect until the session is known.
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const calls = '**/api/auth/session';
  await page.route(calls, (route) => isAsked.then(() => route.continue()));
  await page.reload();
  await expect(page.getByText('Loading…')).toBeAttached();
  await expect(page).toHaveURL(/\/app/);
  answer();
  await expect(page.getByText(ada.email)).toBeVisible();
});

test('a failed login gives the same reason whether or not the account exists @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/app');
  await page.getByRole('button', { name: 'Logout' }).click();
  const problem = page.getByRole('alert');

  await page.getByRole('button', { name: 'Login' }).click();
  await expect(problem).toHaveText('Email and password are required');
  await fillLogin(page, { email: ada.email, password: 'not this one' });
  await expect(problem).toHaveText('Invalid credentials');
  await fillLogin(page, { email: 'nobody@example.com', password: 'not this one' });
  await expect(problem).toHaveText('Invalid credentials');
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, ada);
  await expect(page).toHaveURL(/\/app/);
});

test('a registration is checked field by field, and an address can be registered only once', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/app');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await page.getByRole('radio', { name: /solo/i }).click();
  await page.getByRole('button', { name: 'Continue' }).click();

  const submit = page.getByRole('button', { name: 'Create account' });
  const problem = page.getByRole('alert');
  const fill = async (fields: Readonly<Record<string, string>>) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text);
    await submit.click();
  };
  await submit.click();
  await expect(problem).toHaveText('All fields are required');
  await fill({ Name: 'Ada', Email: 'ada', Password: 'abcdef', 'Confirm password': 'abcdeg' });
  await expect(problem).toHaveText('Passwords do not match');
  await fill({ Password: 'abc', 'Confirm password': 'abc' });
  await expect(problem).toHaveText('Password must be at least 6 characters long');
  await fill({ Password: 'abcdef', 'Confirm password': 'abcdef' });
  await expect(problem).toHaveText('Please enter a valid email address');
  await fill({ Email: ada.email.toUpperCase() });
  await expect(problem).toContainText('already exists');

  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Back to Login' }).click();
  await expect(page).toHaveURL(/\/login/);
});

test('logging out in one tab logs out the other tabs', async ({ page, context, ada }) => {
  await signUp(page, ada);
  await page.goto('/app');
  const other = await context.newPage();
  await other.goto('/projects');
  await expect(other.getByRole('heading', { name: 'Projects' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(other).toHaveURL(/\/login/);
});

test('a session that the server ended leads the user back to the login @long', async ({
  page,
  product,
  ada,
}) => {
  await signUp(page, ada);
  await page.goto('/app');
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const ended = await fetch(`${product.url}/api/auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(ended.ok).toBe(true);
  await page.goto('/projects');
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, ada);
  await expect(page).toHaveURL(/\/projects/);
});

test('an unknown URL shows a not-found page with a link back @long', async ({ page, ada }) => {
  await signUp(page, ada);
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: /not found/i })).toBeVisible();
  await page
    .getByRole('link')
    .filter({ hasText: /dashboard|home/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/(app|dashboard)/);
});
