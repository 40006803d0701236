import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth } from '../harness/browser/accessible.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { checkoutTrace } from '../harness/traces/checkout.ts';
import { reportTrace } from '../harness/traces/report-trace.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const strip = (page: Page) => page.getByRole('region', { name: 'What stands out' });
const selectedStep = (page: Page) =>
  page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { selected: true });

const checkouts = () => [
  checkoutTrace({ at: secondsAgo(5), country: 'UK', user: 'u-9' }),
  checkoutTrace({ at: secondsAgo(60), country: 'GB', user: 'u-1' }),
  checkoutTrace({ at: secondsAgo(90), country: 'DE', user: 'u-2' }),
];

async function openNewest(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
}

test('the value that differs from a successful request is named above the steps of a failed request, and links to its step', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, checkouts());
  await openNewest(page);
  const [first, second] = [
    strip(page).getByRole('listitem').nth(0),
    strip(page).getByRole('listitem').nth(1),
  ];
  await expect(first).toHaveText(
    'country is "UK" instead of "GB" in taxFor, then entry is undefined instead of { rate: 0.2 }',
  );
  await expect(second).toHaveText(
    'This error is new: no other request failed with it in the previous 7 days',
  );
  await page.getByRole('tree', { name: 'Steps' }).press('Home');
  await expect(selectedStep(page)).toContainText('placeOrder');
  await first.getByRole('button').press('Enter');
  await expect(selectedStep(page)).toContainText('taxFor');
  await expectAccessibleInBoth(page, 'what stands out');
});

/** Builds the trace of an order that looks up a coupon. Without a coupon, `applyDiscount` throws, but `findCoupon` is the cause. */
function orderTrace(coupon: string | null, at: Date) {
  const error = { message: "Cannot read properties of null (reading 'percent')" };
  const found = coupon === null ? null : { coupon, percent: 10 };
  const step = (stepId: string, parentStepId: string | null) => ({
    stepId,
    parentStepId,
    stepName: stepId,
    functionName: stepId,
    filePath: 'src/orders.ts',
    stepType: parentStepId === null ? ('handler' as const) : ('function' as const),
    startTime: at.toISOString(),
    duration: 2,
  });
  const failed = coupon === null ? { error } : {};
  return {
    request: { method: 'POST', path: '/orders', route: '/orders' },
    response: { statusCode: coupon === null ? 500 : 201 },
    timing: { startTime: at.toISOString(), duration: 5 },
    ...(coupon === null ? { error: { hasError: true, errorMessage: error.message } } : {}),
    flow: [
      { ...step('createOrder', null), ...failed },
      { ...step('findCoupon', 'createOrder'), variables: { returnValue: found } },
      { ...step('applyDiscount', 'createOrder'), inputs: { coupon: found }, ...failed },
    ],
  };
}

test('the page of a failed request selects the step of the cause, even if the server finds the cause only after the request was shown @long', async ({
  page,
  ada,
}) => {
  await page.route('**/stands-out', async (route) => {
    await expect(selectedStep(page)).toContainText('applyDiscount');
    await route.continue();
  });
  await signUpWithTraces(page, ada, [
    orderTrace(null, secondsAgo(5)),
    orderTrace('A1', secondsAgo(60)),
    orderTrace('B2', secondsAgo(90)),
  ]);
  await openNewest(page);
  await expect(selectedStep(page)).toContainText('findCoupon');
  await page.getByRole('tree', { name: 'Steps' }).press('Home');
  await expect(selectedStep(page)).toContainText('createOrder');
});

test('the repeated query of a slow request is named above the steps and above the flow graph @long', async ({
  page,
  ada,
}) => {
  const usual = Array.from({ length: 6 }, (_, at) =>
    reportTrace({ startedAt: secondsAgo(20 + at), days: 3, queryMs: 2 }),
  );
  await signUpWithTraces(page, ada, [
    ...usual,
    reportTrace({ startedAt: secondsAgo(5), days: 120, queryMs: 20 }),
  ]);
  await openNewest(page);
  await expect(strip(page).getByRole('listitem').first()).toContainText(
    'SELECT orders ran 120 times: 2.39 s, 99 %',
  );
  await expect(strip(page).getByRole('listitem').nth(1)).toContainText('240 times slower than usual');
  await page.getByRole('button', { name: 'Flow graph' }).click();
  await expect(strip(page)).toContainText('SELECT orders ran 120 times');
});

test('the sentences above the steps are omitted for an ordinary request @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, checkouts());
  await openNewest(page);
  await expect(strip(page)).toBeVisible();
  await page.keyboard.press(']');
  await expect(selectedStep(page)).toContainText('placeOrder');
  await expect(strip(page)).toHaveCount(0);
});

test('the sentences of What Stands Out fit every width @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, checkouts());
  await openNewest(page);
  await expect(strip(page).getByRole('listitem')).toHaveCount(2);
  for (const width of [1440, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const measureOverflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(measureOverflow, `at ${width}`).toBeLessThanOrEqual(0);
  }
});

test('if the unusual values cannot be loaded, the strip shows an error, and loads the values on retry @long', async ({
  page,
  ada,
}) => {
  await signUpWithTraces(page, ada, checkouts());
  await page.route('**/stands-out', (route) => route.abort());
  await openNewest(page);
  const notice = strip(page).getByRole('alert');
  await expect(notice).toContainText('This request could not be compared with other requests.');
  await page.unroute('**/stands-out');
  await notice.getByRole('button', { name: 'Try Again' }).click();
  await expect(strip(page).getByRole('listitem').first()).toContainText('country is "UK"');
  await expect(notice).toHaveCount(0);
});
