import { expect, type Page } from '@playwright/test';
import { findControlFaults } from '../harness/browser/control-faults.ts';
import { findLayoutFaults, TESTED_WINDOWS } from '../harness/browser/layout.ts';
import { chart, signUpWithFigures, requests as someRequests, TABS } from '../harness/pages/analytics.ts';
import { addMember, invite, signUpOrganization } from '../harness/people/organizations.ts';
import { registerOrganization } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { sendBusyWeek } from '../harness/traces/busy-week.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

/** Checks the page in every window. Layouts that measure themselves are updated in the frames after a resize. */
async function expectFit(page: Page, what: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toHaveCount(0);
  for (const size of TESTED_WINDOWS) {
    await page.setViewportSize(size);
    await expect
      .poll(async () => [...(await findLayoutFaults(page)), ...(await findControlFaults(page))], {
        message: `${what} at ${size.width} px`,
        timeout: 5000,
      })
      .toEqual([]);
  }
}

const signedOutPages = [
  ['/', 'See what your backend really did'],
  ['/login', /./],
  ['/register', /./],
  ['/register?token=abc', /./],
  ['/forgot-password', /./],
  ['/reset-password?token=abc', /./],
  ['/verify-email?token=abc', /./],
  ['/unsubscribe/abc', /./],
  ['/invite/abc', /./],
  ['/public', /./],
  ['/nowhere', 'Page not found'],
] as const;

for (const [path, heading] of signedOutPages) {
  test(`${path} fits windows of every width: nothing is cut off, no number wraps, no control is alone on a line`, async ({
    page,
  }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expectFit(page, path);
  });
}

const listPages = [
  '/dashboard',
  '/dashboard?q=no-such-path',
  '/dashboard?users=known',
  '/dashboard?from=2026-11-03T21:04:05.678Z&to=2026-12-24T22:59:59.999Z',
  '/dashboard?from=2026-11-03T21:04:05.678Z',
  '/raw-traces',
  '/errors',
  '/analytics',
  '/projects',
  '/settings?tab=profile',
  '/settings?tab=security',
  '/settings?tab=2fa',
  '/settings?tab=account',
  '/billing',
] as const;

test('the pages of a user with many requests fit windows of every width @long', async ({ page, ada }) => {
  const now = Date.now();
  const requests = Array.from({ length: 990 }, (_, index) => ({
    ...plainRequest(`/orders/${index}`, new Date(now - index * 50)),
    timing: { startTime: new Date(now - index * 50).toISOString(), duration: 1000 + index },
    user: { id: `customer-${index % 9}` },
  }));
  await signUpWithTraces(page, ada, [failedOrder(new Date()), ...requests]);
  for (const path of listPages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await expectFit(page, path);
  }
});

test('the pages of a user without a project or without requests fit windows of every width @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  const paths = ['/dashboard', '/raw-traces', '/projects'];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFit(page, `${path} without a project`);
  }
  await addProject(page, 'a project whose name is so long that it does not fit into one line');
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFit(page, `${path} without a request`);
  }
});

test('the pages of an organization fit windows of every width @long', async ({
  page,
  ada,
  organizationName,
}) => {
  await registerOrganization(page, ada, organizationName);
  await page.goto('/billing');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade Now' }).click();
  await expect(page.getByText(/Successfully upgraded/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'All invoices' })).toBeVisible();
  await expectFit(page, 'billing with an invoice');
  for (const path of ['/users', '/users?tab=audit', '/settings?tab=account']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFit(page, path);
  }
});

test('the lists of people, sessions and projects fit windows of every width, and long names in them wrap instead of being cut off', async ({
  page,
  ada,
  grace,
  organizationName,
}) => {
  const name = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft';
  const email = `${name.slice(0, 60).toLowerCase()}@a.subdomain-of-the-company.test`;
  const owner = { ...ada, name: `Ada ${name}` };
  const organization = await signUpOrganization(page, owner, organizationName);
  await addMember(page, organization, {
    ...grace,
    email: `${grace.email}.${name.slice(0, 60).toLowerCase()}`,
  });
  await invite(page, organization, { name: 'Somebody with a long name of many words, invited', email });
  await page.request.post('/api/auth/login', {
    data: { email: ada.email, password: ada.password },
    headers: { 'user-agent': name },
  });
  await page.request.post('/api/projects', { data: { name }, headers: organization.headers });
  for (const path of ['/users', '/users?tab=audit', '/settings?tab=security', '/projects']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(name.slice(0, 60)).first()).toBeVisible();
    await expectFit(page, path);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('main td *, main li *, main article *')]
        .filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
        .map((each) => each.textContent),
    );
    expect(cut, path).toEqual([]);
  }
});

test('every analytics tab fits windows of every width, and no funnel name is cut off @long', async ({
  page,
  ada,
  organizationName,
}) => {
  test.setTimeout(300_000);
  await signUpWithFigures(page, ada, organizationName, someRequests());
  await sendBusyWeek(page);
  await page.goto('/analytics?tab=business&compare=previous');
  const funnel = page.getByRole('region', { name: 'Conversion funnel' });
  await funnel.getByRole('button', { name: 'Define a funnel' }).click();
  const steps = ['GET /api/products', 'POST /api/cart/items', 'POST /api/checkout'];
  for (const step of steps) await funnel.getByLabel('Add a step').selectOption(step);
  await funnel.getByRole('button', { name: 'Save funnel' }).click();
  const shown = chart(page, 'Conversion funnel');
  await expect(shown).toContainText('3. POST /api/checkout');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [place, step] of steps.entries()) await expect(shown).toContainText(`${place + 1}. ${step}`);
  for (const { id } of TABS) {
    await page.goto(`/analytics?tab=${id}&compare=previous`);
    await expect(page.getByRole('figure').first()).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await expectFit(page, `analytics, ${id}`);
  }
});
