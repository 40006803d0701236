import { expect, type Page } from '@playwright/test';
import { signUpOrganization } from '../harness/organizations.ts';
import type { Account } from '../harness/people.ts';
import { signUp, signUpWithTraces } from '../harness/signed-up.ts';
import { plainRequest } from '../harness/traces.ts';
import { test } from '../harness/worker-server.ts';

/** A form, filled in and sent; and the text that it shows where the server could not be reached. */
interface SentForm {
  readonly name: string;
  readonly path: string;
  readonly fill: (page: Page, account: Account) => Promise<void>;
  readonly button: string | RegExp;
  readonly failure: RegExp;
}

const NETWORK = /An error occurred\. Please try again\.|Network error|could not be reached/;

const visitorForms: readonly SentForm[] = [
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

const ownForms: readonly SentForm[] = [
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

/** Sends a form while no call arrives, and looks that it can be sent again, and that nothing is sent by itself. */
async function expectToFail(page: Page, account: Account, form: SentForm): Promise<void> {
  await page.goto(form.path);
  const button = page.getByRole('button', { name: form.button }).last();
  await form.fill(page, account);
  await page.route('**/api/**', (route) => route.abort('connectionrefused'));
  await button.click();
  await expect(page.getByText(form.failure).first(), form.name).toBeVisible();
  await expect(button, form.name).toBeEnabled();
  await page.unroute('**/api/**');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  // Whatever was put off would be sent before this answer.
  await page.evaluate(() => fetch('/api/health/live').then((answer) => answer.text()));
  expect(sent, form.name).toEqual([]);
}

test('a visitor’s form that does not reach the server says so, can be sent again, and is not sent by itself later', async ({
  page,
  ada,
}) => {
  for (const form of visitorForms) await expectToFail(page, ada, form);
});

test('a form of somebody who is signed in says that the server was not reached, and is not sent by itself later', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  for (const form of ownForms) await expectToFail(page, ada, form);
});

const pages = [
  '/dashboard',
  '/raw-traces',
  '/projects',
  '/users',
  '/users?tab=audit',
  '/analytics',
  '/billing',
  '/settings?tab=security',
  '/public',
];

for (const path of pages) {
  test(`${path} says that its data did not come, and shows them when it is tried again`, async ({
    page,
    ada,
    organizationName,
  }) => {
    await signUpOrganization(page, ada, organizationName);
    const isData = (url: URL) => url.pathname.startsWith('/api/') && url.pathname !== '/api/auth/session';
    await page.route(isData, (route) => route.abort('connectionrefused'));
    await page.goto(path);
    await expect(page.getByRole('alert').first()).toContainText('could not be reached');
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await page.unroute(isData);
    const again = page.getByRole('button', { name: 'Try Again' });
    // A page may have several parts that failed, and some are fetched again by themselves.
    await expect(async () => {
      if (await again.first().isVisible()) await again.first().click({ timeout: 1000 });
      await expect(again).toHaveCount(0, { timeout: 1000 });
    }).toPass();
    await expect(page.getByText('could not be reached')).toHaveCount(0);
  });
}

test('a page that a silent network leaves without an answer says so after 90 seconds', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [plainRequest('/orders', new Date())]);
  await page.clock.install();
  let hangs = true;
  const traces = (url: URL) => url.pathname === '/api/traces';
  await page.route(traces, (route) => (hangs ? undefined : route.continue()));
  const asked = page.waitForRequest((request) => traces(new URL(request.url())));
  await page.goto('/raw-traces');
  await asked;
  const failure = page.getByRole('alert').filter({ hasText: 'Traces could not be loaded.' });
  // The page may ask once more when it knows its project, which begins another wait.
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(failure).toContainText('The server did not answer within 90 seconds.', { timeout: 200 });
  }).toPass();
  hangs = false;
  await page.reload();
  await expect(page.getByText('Showing 1 of 1 traces')).toBeVisible();
});
