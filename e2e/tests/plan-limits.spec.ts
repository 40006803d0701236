import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../harness/browser/accessible.ts';
import { dialog, planNow, upgrade } from '../harness/pages/billing-page.ts';
import { foundOrganization, invite, signUpOrganization } from '../harness/people/organizations.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { plainRequest, sendTraces } from '../harness/traces/traces.ts';

/** Tests the limits of plans: projects, members, traces, retention, and insights. */

/** Returns the API key of the only project of the user who is signed in on the page. */
async function readKey(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const { projects } = await (await page.request.get('/api/projects', { headers })).json();
  const answer = await page.request.get(`/api/projects/${projects[0].id}/api-key`, { headers });
  return (await answer.json()).apiKey;
}

async function createProject(page: Page, name: string): Promise<void> {
  await page.goto('/projects');
  await page.getByLabel('Project name').fill(name);
  await page.getByRole('button', { name: 'Create Project' }).click();
}

test('a solo user who reaches a limit can upgrade in the dialog, and then repeat the refused action', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await createProject(page, 'payments');
  await expect(dialog(page)).toContainText(
    'Free Trial includes 1 project, and 1 is used. Upgrade to Starter for 2 projects.',
  );
  await expectAccessible(page, 'limit dialog');
  await dialog(page).getByRole('link', { name: 'Upgrade Now' }).click();
  await expect(page).toHaveURL(/\/billing/);
  await expect(planNow(page)).toContainText('Free Trial');
  await expect(planNow(page)).toContainText('trialing');
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('1 of 1 · 100 %');
  await upgrade(page, 'Starter');
  await expect(planNow(page)).toContainText('$19 per month');
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('1 of 2 · 50 %');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /^PDF of SANDBOX-/ }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain('$19.00');
  await createProject(page, 'payments');
  await expect(page.getByRole('article', { name: 'payments' })).toBeVisible();
  await createProject(page, 'third');
  await expect(dialog(page)).toContainText('Upgrade to Solo Developer for 5 projects.');
});

test('at a limit of the largest plan the dialog offers no upgrade, for projects and for members @long', async ({
  page,
  ada,
  browser,
  baseURL,
  organizationName,
}) => {
  await signUp(page, ada);
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const data = { plan: 'solo_developer' };
  await page.request.put('/api/user-billing/subscription/plan', { data, headers });
  for (const name of ['one', 'two', 'three', 'four', 'five']) await addProject(page, name);
  await createProject(page, 'six');
  await expect(page.getByRole('dialog', { name: 'Limit reached' })).toContainText(
    'No plan has a larger limit',
  );
  await expect(dialog(page).getByRole('link')).toHaveCount(0);
  await dialog(page).getByText('Close', { exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);

  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const owner = await context.newPage();
  await signUpOrganization(owner, { ...ada, email: `owner-${ada.email}` }, organizationName);
  const message = 'Enterprise Plus includes 50 members, and 50 are used. No plan has a larger limit.';
  const details = { upgradeRequired: true, upgradeTo: null };
  await owner.route('**/members', (route) => {
    const error = { code: 'plan_limit', message, requestId: 'x', details };
    return route.request().method() === 'POST'
      ? route.fulfill({ status: 402, json: { error, message } })
      : route.fallback();
  });
  await owner.goto('/users');
  await owner.getByRole('button', { name: 'Add User' }).click();
  await dialog(owner).getByLabel('Full Name').fill('Grace Hopper');
  await dialog(owner).getByLabel('Email Address').fill(`grace-${ada.email}`);
  await owner.keyboard.press('Enter');
  await expect(owner.getByRole('dialog', { name: 'Member limit reached' })).toContainText(message);
  await expect(dialog(owner).getByRole('link')).toHaveCount(0);
  await expect(owner.getByText('Please upgrade your plan')).toHaveCount(0);
  await context.close();
});

test('an organization without a free seat upgrades from the dialog, and the user who could not be added is then added @long', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  await foundOrganization(page, ada, organizationName);
  await page.goto('/users');
  // The button Add User looks disabled. A click on it shows the reason.
  await page.getByRole('button', { name: 'Add User' }).click({ force: true });
  await expect(dialog(page)).toContainText('Cannot add members on free plan.');
  await dialog(page).getByRole('link', { name: 'Upgrade Now' }).click();
  await upgrade(page, 'Pro');
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await dialog(page).getByLabel('Full Name').fill(grace.name);
  await dialog(page).getByLabel('Email Address').fill(grace.email);
  await dialog(page).getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByText('User created successfully!')).toBeVisible();
});

test("the seat limit dialog names the organization's plan and the next plan with more seats @long", async ({
  page,
  ada,
  organizationName,
}) => {
  const organization = await signUpOrganization(page, ada, organizationName);
  for (let at = 0; at < 14; at += 1) {
    await invite(page, organization, { name: `Guest ${at}`, email: `guest-${at}-${ada.email}` });
  }
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await dialog(page).getByLabel('Full Name').fill('Grace Hopper');
  await dialog(page).getByLabel('Email Address').fill(`grace-${ada.email}`);
  await page.keyboard.press('Enter');
  const refused = page.getByRole('dialog', { name: 'Upgrade Required' });
  await expect(refused).toContainText(
    'Pro includes 15 members, and 15 are used. Upgrade to Enterprise Basic for 25 members.',
  );
  await expect(refused).toContainText('Enterprise Basic includes 25 team members, unlimited projects');
  await expect(refused).not.toContainText('free plan');
});

test("when the month's quota is used up, traces are refused and a banner shows it; an upgrade ends both @long", async ({
  page,
  ada,
}) => {
  const requests = (count: number) =>
    Array.from({ length: count }, (_, at) => plainRequest(`/orders/${at}`, new Date()));
  // The server allows a short burst above the limit of a thousand traces.
  await signUpWithTraces(page, ada, requests(1050));
  const refused = await page.request.post('/api/ingest/traces', {
    headers: { 'x-api-key': await readKey(page) },
    data: { traces: requests(1) },
  });
  expect(refused.status()).toBe(429);
  await page.goto('/dashboard');
  const banner = page.getByRole('status').filter({ hasText: 'All 1,000 traces of this month are used.' });
  await banner.getByRole('link', { name: 'See plans' }).click();
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('1,050 of 1,000 · 105 %');
  await upgrade(page, 'Starter');
  await expect(banner).toBeHidden();
  await sendTraces(page, requests(1));
});

test('a list that begins before the retention shows a notice with a link to a plan with longer retention @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const old = { traces: [plainRequest('/yesterday', daysAgo(1))] };
  const send = async () => {
    const headers = { 'x-api-key': await readKey(page) };
    return (await page.request.post('/api/ingest/traces', { headers, data: old })).json();
  };
  expect(await send()).toMatchObject({
    accepted: 0,
    rejected: [
      {
        code: 'too_old',
        message: expect.stringContaining(
          'Free Trial keeps traces for 1 hour, and this one is over 24 hours old. Upgrade to Starter for 7 days.',
        ),
      },
    ],
  });
  const since = (days: number) =>
    `/dashboard?from=${daysAgo(days).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
  const note = page.getByRole('note');
  await page.goto(since(2));
  await expect(note).toHaveText('Traces older than 1 hour are not stored on the Free Trial plan. See plans');
  await page.goto('/analytics');
  const range = page.getByText('Your plan shows traces since');
  await expect(range.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', /\/billing/);
  // The trial keeps traces for an hour, so the notice must show a time, not only a date.
  await expect(range).toHaveText(/traces since (\d{4}-\d\d-\d\d )?\d\d:\d\d\./);
  await page.goto(since(2));
  await expectAccessible(page, 'a list that is cut off');
  await note.getByRole('link', { name: 'See plans' }).click();
  await upgrade(page, 'Starter');
  expect(await send()).toEqual({ accepted: 1, rejected: [] });
  await page.goto(since(2));
  await expect(page.getByText('/yesterday').first()).toBeVisible();
  await expect(note).toBeHidden();
  await page.goto(since(8));
  // The note has no link, because no plan for solo users has a longer retention.
  await expect(note).toHaveText(/^Traces older than 7 days are not stored on the Starter plan\.\s*$/);
});

test('if the plan does not include insights, the page links to a plan that includes them @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await foundOrganization(page, ada, organizationName);
  await addProject(page, 'orders');
  await sendTraces(page, [plainRequest('/orders', new Date())]);
  await page.goto('/analytics');
  const insights = page.getByRole('region', { name: 'Insights' });
  await expect(insights).toContainText('Insights are part of Enterprise Plus.');
  await insights.getByRole('link', { name: 'See plans' }).click();
  await upgrade(page, 'Enterprise Plus');
  // The page offers no upgrade, because there is no larger plan.
  await expect(page.getByRole('button', { name: /^Upgrade to/ })).toHaveCount(0);
  await page.goto('/analytics');
  await expect(insights).toContainText(/in 1 requests?\./);
  await expect(insights.getByText('Sample', { exact: true })).toHaveCount(0);
});
