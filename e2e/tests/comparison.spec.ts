import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { readClipboard } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { checkoutCalls } from '../harness/traces/checkout-calls.ts';
import { sendTraces } from '../harness/traces/traces.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const failing = () => checkoutTrace({ at: secondsAgo(5), country: 'UK', user: 'u-9' });
const passing = () => [
  checkoutTrace({ at: secondsAgo(60), country: 'GB', user: 'u-1' }),
  checkoutTrace({ at: secondsAgo(90), country: 'DE', user: 'u-2' }),
  checkoutTrace({ at: secondsAgo(120), country: 'GB', user: 'u-3' }),
];
const compareButton = (page: Page) => page.getByRole('button', { name: 'Compare with a successful request' });
const summary = (page: Page) => page.getByRole('region', { name: 'Comparison' });
const calls = (page: Page) => page.getByRole('listbox', { name: 'Calls of both requests' });

async function openFailed(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await compareButton(page).click();
  await expect(summary(page)).toBeVisible();
}

test('a failed request is compared with the most similar successful request, the first difference is named first, and the comparison can be copied', async ({
  page,
  context,
  ada,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUpWithTraces(page, ada, [failing(), ...passing()]);
  await openFailed(page);
  await expect(page).toHaveURL(/compare=good/);
  const statements = summary(page).getByRole('listitem');
  await expect(statements.first()).toContainText('"UK"');
  await expect(statements.first()).toContainText('country');
  await expect(summary(page)).toContainText('Nearest successful request of this endpoint');
  await expect(calls(page).getByRole('option', { name: /charge, only in the other request/ })).toBeVisible();
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect.poll(() => readClipboard(page)).toMatch(/country.*"UK"/);

  await calls(page)
    .getByRole('option', { name: /^taxFor/ })
    .click();
  const values = page.getByRole('region', { name: 'Values of taxFor' });
  const entry = values.getByRole('row', { name: /entry/ }).first();
  await expect(entry).toContainText('undefined');
  await expect(entry).toContainText('rate');
  await expect(values.getByRole('region', { name: 'Other request' })).toContainText('rate');
});

/**
 * Adds two calls of `taxFor` to the trace of a checkout, so that the checkout looks up the tax three times as often as the other checkouts.
 */
function withRepeatedCalls(checkout: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const flow = Array.isArray(checkout.flow) ? checkout.flow : [];
  const more = ['taxFor2', 'taxFor3'].map((stepId) => ({ ...flow[1], stepId, error: null }));
  return { ...checkout, flow: [...flow, ...more] };
}

test('repeated calls are marked, calls are folded by keyboard, and differing members are marked in both requests', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [withRepeatedCalls(failing()), ...passing()]);
  await openFailed(page);
  const option = (name: RegExp) => calls(page).getByRole('option', { name });
  await expect(option(/^taxFor, repeated: called 3 times instead of 1/)).toHaveCount(2);

  await option(/^taxFor, .*failed/).click();
  const values = page.getByRole('region', { name: 'Values of taxFor' });
  for (const side of ['This request', 'Other request']) {
    const inputs = values.getByRole('region', { name: side }).getByRole('tree', { name: `${side}: Inputs` });
    await expect(inputs.getByRole('treeitem', { name: /country.*differs/ })).toBeVisible();
    await expect(inputs.getByRole('treeitem', { name: /total/ })).not.toContainText('differs');
  }

  await calls(page).press('ArrowLeft');
  await expect(option(/^placeOrder/)).toHaveAttribute('aria-selected', 'true');
  await calls(page).press('ArrowLeft');
  await expect(option(/^placeOrder.*4 calls below, collapsed/)).toBeVisible();
  await expect(calls(page).getByRole('option')).toHaveCount(1);
  await calls(page).press('ArrowRight');
  await expect(calls(page).getByRole('option')).toHaveCount(5);
  await calls(page).press('ArrowRight');
  await expect(option(/^taxFor/).first()).toHaveAttribute('aria-selected', 'true');
});

test('the URL of a comparison opens the comparison again, and closing it shows the steps @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failing(), ...passing()]);
  await openFailed(page);
  await page.reload();
  await expect(summary(page).getByRole('listitem').first()).toContainText('"UK"');
  await calls(page)
    .getByRole('option', { name: /charge/ })
    .click();
  await expect(page.getByText('Only the other request made this call.')).toBeVisible();
  await page.getByRole('button', { name: 'End comparison' }).click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
  await expect(page).not.toHaveURL(/compare=/);
  await page.goBack();
  await expect(summary(page)).toBeVisible();
});

test('a request is compared with the most similar successful request of the previous release @long', async ({
  page,
  ada,
}) => {
  await signUp(page, ada);
  await addProject(page, 'orders');
  await sendTraces(page, passing(), { name: 'orders', release: '1.4.1' });
  await sendTraces(page, [failing()], { name: 'orders', release: '1.4.2' });
  await openFailed(page);
  await summary(page).getByRole('button', { name: 'Before release 1.4.2' }).click();
  await expect(page).toHaveURL(/compare=before/);
  await expect(summary(page)).toContainText('release 1.4.1');
  await expect(summary(page).getByRole('listitem').first()).toContainText('"UK"');
  await summary(page).getByRole('button', { name: 'Nearest successful request' }).click();
  await expect(page).toHaveURL(/compare=good/);
});

test('a failed request has no request to compare with if its endpoint has no successful request @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failing()]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await compareButton(page).click();
  await expect(page.getByText(/There is no request to compare with/)).toBeVisible();
});

test('a successful request is compared with another successful request @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, passing());
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
  await expect(compareButton(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(summary(page)).toContainText('Nearest successful request of this endpoint');
});

test('the comparison shows an error if it cannot be loaded, and loads on retry @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failing(), ...passing()]);
  await page.route('**/comparison?*', (route) => route.abort());
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await compareButton(page).click();
  const notice = page.getByRole('alert').filter({ hasText: 'The requests could not be compared.' });
  await expect(notice).toBeVisible();
  await page.unroute('**/comparison?*');
  await notice.getByRole('button', { name: 'Try Again' }).click();
  await expect(summary(page)).toBeVisible();
});

test('two selected requests are compared with each other, the failed one first @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [failing(), ...passing()]);
  await page.goto('/dashboard');
  const boxes = page.locator('[data-row]').getByRole('checkbox');
  await boxes.nth(0).check();
  await expect(page.getByRole('link', { name: 'Compare', exact: true })).toHaveCount(0);
  await boxes.nth(2).check();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(summary(page).getByRole('listitem').first()).toContainText('"UK"');
  await expect(page).toHaveURL(/compare=[\da-f-]{36}/);
});

test('a comparison fits every width, and passes the accessibility check @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failing(), ...passing()]);
  await openFailed(page);
  for (const width of [1440, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(calls(page).getByRole('option').first()).toBeVisible();
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(measureOverflow, `at ${width}`).toBeLessThanOrEqual(0);
  }
  await expectAccessibleInBoth(page, 'a comparison');
});

/**
 * Adds two calls to the trace of a checkout. The other checkouts do not make these calls. The calls are deep in the tree and have long
 * names.
 */
function withMoreCalls(checkout: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const flow = Array.isArray(checkout.flow) ? checkout.flow : [];
  const more = ['lookUpTheRateOfTheCountry', 'askTheOldTableForTheRate'].map((name, index) => ({
    ...flow[1],
    stepId: name,
    parentStepId: index === 0 ? 'taxFor' : 'lookUpTheRateOfTheCountry',
    stepName: name,
    functionName: name,
  }));
  return { ...checkout, flow: [...flow, ...more] };
}

test('the marks of a compared call are not cut off, and do not overlap the times of the call, at any width @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, [withMoreCalls(failing()), ...passing()]);
  await openFailed(page);
  const row = calls(page).getByRole('option', { name: /lookUpTheRateOfTheCountry, .*only in this request/ });
  for (const width of [1440, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(row).toBeVisible();
    const found = await row.evaluate((element) => {
      const mark = [...element.querySelectorAll('span')].filter(
        (span) => /^only (in )?this/.test(span.textContent ?? '') && span.checkVisibility(),
      );
      const whole = mark.at(-1);
      const time = [...element.querySelectorAll('span')].find((span) =>
        /\d ms$/.test(span.textContent ?? ''),
      );
      const [right, cut] = [
        whole?.getBoundingClientRect().right ?? 0,
        whole?.closest('[title]')?.getBoundingClientRect().right ?? 0,
      ];
      const range = document.createRange();
      if (time !== undefined) range.selectNodeContents(time);
      return { isCut: right > cut + 0.1, gap: range.getBoundingClientRect().left - right };
    });
    expect(found.isCut, `at ${width} px`).toBe(false);
    expect(found.gap, `at ${width} px`).toBeGreaterThanOrEqual(4);
  }
});

test('on a phone the page scrolls to all values of a compared call @long', async ({ page, ada }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signUpWithTraces(page, ada, [failing(), ...passing()]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await compareButton(page).click();
  await calls(page)
    .getByRole('option', { name: /^taxFor/ })
    .click();
  const last = page.getByRole('region', { name: 'Other request' }).getByText('rate').last();
  await expect(last).toBeVisible();
  // Playwright scrolls even areas that users cannot scroll, so the test measures how much is cut off.
  const cut = await last.evaluate((element) => {
    let found = 0;
    for (let at = element.parentElement; at !== null; at = at.parentElement)
      if (getComputedStyle(at).overflowY === 'hidden' && at.scrollHeight > at.clientHeight + 1) found += 1;
    return found;
  });
  expect(cut).toBe(0);
});

test('in a comparison of many calls, the first difference is in view, and calls that are equal in both requests are folded @long', async ({
  page,
  ada,
}) => {
  const checkouts = [10, 20].map((seconds) =>
    checkoutCalls({ at: secondsAgo(seconds), steps: 200, fails: false }),
  );
  await signUpWithTraces(page, ada, [...checkouts, checkoutCalls({ at: secondsAgo(1), steps: 200 })]);
  await page.setViewportSize({ width: 1440, height: 480 });
  await openFailed(page);
  const different = calls(page).getByRole('option', { name: /^taxFor, .*failed here/ });
  const cart = calls(page).getByRole('option', { name: /^loadCart, .* equal calls below, collapsed$/ });
  await expect(different).toHaveAttribute('aria-selected', 'true');
  // In a window of this height, the page scrolls. The test therefore checks that the row is in the visible part of its list, not of the
  // window.
  const isInList = () =>
    different.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const list = element.closest('[role="listbox"]')?.parentElement?.getBoundingClientRect();
      return list !== undefined && top >= list.top && bottom <= list.bottom;
    });
  await expect.poll(isInList).toBe(true);
  await calls(page).press('Home');
  await expect(cart).toContainText(/\+\d+ equal/);
  await cart.click();
  await calls(page).press('ArrowRight');
  await expect(calls(page).getByRole('option', { name: /^loadCart, .*collapsed$/ })).toHaveCount(0);
  await calls(page).press('ArrowRight');
  await calls(page).press('Home');
  // A branch of calls stays unfolded when a call outside the branch is selected.
  await expect(calls(page).getByRole('option', { name: /^SELECT carts/ })).toBeVisible();
});

test('a comparison that is loading can be ended @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [failing(), ...passing()]);
  await page.route('**/comparison?*', () => undefined);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await compareButton(page).click();
  await page.getByRole('button', { name: 'End comparison' }).click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
});

test('a public viewer with a session is offered no comparison @long', async ({ page, ada, browser }) => {
  await signUpWithTraces(page, ada, [failing()]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(compareButton(page)).toBeVisible();
  const address = page.url();
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const { projects } = await (await page.request.get('/api/projects', { headers })).json();
  const published = await page.request.patch(`/api/projects/${projects[0].id}`, {
    data: { public: true },
    headers,
  });
  expect(published.status()).toBe(200);

  const context = await browser.newContext({ baseURL: new URL(address).origin });
  const stranger = await context.newPage();
  await signUp(stranger, { ...ada, email: `stranger.${ada.email}` });
  await stranger.goto(address);
  await expect(stranger.getByRole('tree', { name: 'Steps' })).toBeVisible();
  await expect(compareButton(stranger)).toHaveCount(0);
  await expect(stranger.getByRole('region', { name: 'What stands out' })).toHaveCount(0);
  await context.close();
});
