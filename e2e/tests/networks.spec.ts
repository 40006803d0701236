import { expect, type Page } from '@playwright/test';
import { DATA_PAGES, FORM_PAGES, readRouterPaths } from '../harness/pages/data-pages.ts';
import { signUpOrganization } from '../harness/people/organizations.ts';
import type { Account } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { failedOrder, plainRequest, sendTraces } from '../harness/traces/traces.ts';

/** A form to fill in and submit, and the text that it shows if the server is unreachable. */
interface SentForm {
  readonly name: string;
  readonly path: string;
  readonly fill: (page: Page, account: Account) => Promise<void>;
  readonly button: string | RegExp;
  readonly failure: RegExp;
}

const NETWORK = /An error occurred\. Please try again\.|Network error|could not be reached/;

const signedOutForms: readonly SentForm[] = [
  {
    name: 'the login',
    path: '/login',
    async fill(page, account) {
      await page.getByLabel('Email').fill(account.email);
      await page.getByLabel('Password', { exact: true }).fill(account.password);
    },
    button: 'Login',
    failure: NETWORK,
  },
  {
    name: 'the request for a new password',
    path: '/forgot-password',
    fill: (page, account) => page.getByLabel('Email').fill(account.email),
    button: /Send/,
    failure: NETWORK,
  },
  {
    name: 'the new password',
    path: '/reset-password?token=abc',
    async fill(page, account) {
      await page.getByLabel('New password', { exact: true }).fill(account.password);
      await page.getByLabel(/Confirm/).fill(account.password);
    },
    button: /password/,
    failure: NETWORK,
  },
];

const registrations: readonly SentForm[] = (['solo', 'organization'] as const).map((type) => ({
  name: `the registration, ${type}`,
  path: `/register?type=${type}`,
  async fill(page, account) {
    await page.getByLabel('Name', { exact: true }).fill(account.name);
    await page.getByLabel('Email').fill(account.email);
    if (type === 'organization') {
      await page.getByLabel('Organization name').fill('Engines');
      await expect(page.getByText(/is free/)).toBeVisible();
    }
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByLabel('Confirm password').fill(account.password);
  },
  button: 'Create account',
  failure: NETWORK,
}));

const ownForms: readonly SentForm[] = [
  {
    name: 'the password',
    path: '/settings?tab=security',
    async fill(page, account) {
      await page.getByLabel('Current password').fill(account.password);
      await page.getByLabel('New password', { exact: true }).fill('another engine');
      await page.getByLabel('Confirm new password').fill('another engine');
    },
    button: 'Update password',
    failure: NETWORK,
  },
  {
    name: 'a new project',
    path: '/projects',
    fill: (page) => page.getByLabel('Project name').fill('orders'),
    button: 'Create Project',
    failure: NETWORK,
  },
  {
    name: 'the profile',
    path: '/settings?tab=profile',
    fill: (page) => page.getByLabel('Name', { exact: true }).fill('Ada King'),
    button: /Save/,
    failure: NETWORK,
  },
];

/**
 * Submits a form after the page was told that the browser is offline, while no request reaches the server. Checks that the failure is
 * shown, that the form can be submitted again, and that nothing is sent automatically.
 */
async function expectToFail(page: Page, account: Account, form: SentForm): Promise<void> {
  await page.goto(form.path);
  const button = page.getByRole('button', { name: form.button }).last();
  await form.fill(page, account);
  await page.route('**/api/**', (route) => route.abort('connectionrefused'));
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await button.click();
  await expect(page.getByText(form.failure).first(), form.name).toBeVisible();
  await expect(button, form.name).toBeEnabled();
  await page.unroute('**/api/**');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  // If the page had postponed a request, the page would send the postponed request before the response to this call arrives.
  await page.evaluate(() => fetch('/api/health/live').then((answer) => answer.text()));
  expect(sent, form.name).toEqual([]);
}

test('login and registration forms show a network error, and send the input again only if the user presses the button', async ({
  page,
  ada,
}) => {
  for (const form of [...signedOutForms, ...registrations]) await expectToFail(page, ada, form);
});

test('an email confirmation shows a network error while the server is unreachable, and succeeds on retry @long', async ({
  page,
}) => {
  await page.route('**/api/auth/email/**', (route) => route.abort('connectionrefused'));
  await page.goto('/verify-email?token=abc');
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByText(NETWORK).first()).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByText(NETWORK)).toHaveCount(0);
});

test('project settings show a network error while the server is unreachable, and are saved on retry @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/orders', new Date())]);
  await page.goto('/projects');
  await page.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const forms = [
    [page.getByRole('textbox', { name: 'Field names' }), 'nickname'],
    [page.getByLabel(/percent|rate/), '50'],
  ] as const;
  for (const [field, value] of forms) {
    await field.fill(value);
    const form = page.locator('form').filter({ has: field });
    const save = form.getByRole('button', { name: 'Save' });
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await save.click();
    await expect(page.getByText(NETWORK).first()).toBeVisible();
    await expect(save).toBeEnabled();
    await page.unroute('**/api/**');
    await save.click();
    await expect(form.getByText(/^Saved/)).toBeVisible();
  }
});

test('a form of a signed-in user shows a network error, and is never sent automatically later @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  for (const form of ownForms) await expectToFail(page, ada, form);
});

test('while the browser is offline, screens load and actions run, because a server on this machine still answers @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/orders', new Date())]);
  await page.goto('/settings?tab=profile');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(ada.name);
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.getByLabel('Name', { exact: true }).fill('Ada King');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByText('Showing 1 of 1 traces')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Billing' }).click();
  await expect(page.getByRole('region', { name: 'Current plan' })).toContainText('Free Trial');
});

test('every page of the router has a test of its network errors', () => {
  const tried = new Set([...DATA_PAGES.map(({ path }) => path), ...FORM_PAGES]);
  expect([...tried].sort()).toEqual([...new Set(readRouterPaths())].sort());
});

/** The pages that `npm test` tries. `npm run test:long` tries the others, too. */
const EACH_RUN = new Set(['/traces/$id']);

for (const { path, address } of DATA_PAGES) {
  test(`${typeof address === 'string' ? address : path} shows an error if its data cannot be loaded, and shows the data after a retry${EACH_RUN.has(path) ? '' : ' @long'}`, async ({
    page,
    ada,
    organizationName,
  }) => {
    const { headers } = await signUpOrganization(page, ada, organizationName);
    await addProject(page, 'orders');
    await sendTraces(page, [failedOrder(new Date())]);
    const answer = await page.request.get('/api/projects', { headers });
    const { projects }: { projects: { id: string }[] } = await answer.json();
    await page.request.patch(`/api/projects/${projects[0]?.id}`, { headers, data: { public: true } });
    const at = typeof address === 'string' ? address : await address(page);
    const isData = (url: URL) => url.pathname.startsWith('/api/') && url.pathname !== '/api/auth/session';
    await page.route(isData, (route) => route.abort('connectionrefused'));
    await page.goto(at);
    await expect(page.getByRole('alert').first()).toContainText('could not be reached');
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    const falseOptions = page.locator('option').filter({ hasText: /^(Loading…|No projects)$/ });
    await expect(falseOptions).toHaveCount(0);
    await page.unroute(isData);
    const again = page.getByRole('button', { name: 'Try again', exact: false });
    // Several parts of a page may have failed, and some retry automatically.
    await expect(async () => {
      if (await again.first().isVisible()) await again.first().click({ timeout: 1000 });
      await expect(again).toHaveCount(0, { timeout: 1000 });
    }).toPass();
    await expect(page.getByText('could not be reached')).toHaveCount(0);
  });
}

test('a page shows an error after 90 seconds without a response @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [plainRequest('/orders', new Date())]);
  await page.clock.install();
  let hangs = true;
  const traces = (url: URL) => url.pathname === '/api/traces';
  await page.route(traces, (route) => (hangs ? undefined : route.continue()));
  const asked = page.waitForRequest((request) => traces(new URL(request.url())));
  await page.goto('/raw-traces');
  await asked;
  const failure = page.getByRole('alert').filter({ hasText: 'Traces could not be loaded.' });
  // Once the page knows its project, it may send another request. The timeout of that request starts later, so the clock may have to run
  // longer.
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(failure).toContainText('The server did not respond within 90 seconds.', { timeout: 200 });
  }).toPass();
  hangs = false;
  await page.reload();
  await expect(page.getByText('Showing 1 of 1 traces')).toBeVisible();
});
