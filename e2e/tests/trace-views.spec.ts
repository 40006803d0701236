import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { type Account, fillLogin, readClipboard } from '../harness/people/people.ts';
import { signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { failedOrder, plainRequest } from '../harness/traces/traces.ts';

/** Builds the trace of a failed request with 30 queries, a long wait without a recorded cause, and a failing step at the end. */
function waitingOrder(at: Date): Readonly<Record<string, unknown>> {
  const order = failedOrder(at);
  const time = (ms: number) => new Date(at.getTime() + ms).toISOString();
  const step = (stepId: string, parentStepId: string | null, ms: number, duration: number) => ({
    stepId,
    parentStepId,
    stepName: stepId,
    stepType: 'function',
    startTime: time(ms),
    duration,
    filePath: 'src/orders.ts',
    lineNumber: 7,
  });
  return {
    ...order,
    request: {
      method: 'POST',
      path: '/orders/17',
      url: '/orders/17?page=2',
      headers: { host: 'shop.example', authorization: 'Bearer s3cr3t', 'content-type': 'application/json' },
      body: { note: "it's <b>" },
    },
    flow: [
      step('createOrder', null, 0, 1230),
      step('loadCart', 'createOrder', 5, 20),
      ...Array.from({ length: 30 }, (_, index) => ({
        ...step(`query-${index}`, 'loadCart', 6 + index * 0.5, 0.4),
        stepName: 'SELECT * FROM parts WHERE id = ?',
        stepType: 'database',
      })),
      {
        ...step('priceOf', 'createOrder', 1200, 25),
        variables: { localVariables: { rate: 7, basket: { parts: 3, address: { country: 'UK' } } } },
      },
      {
        ...step('taxOf', 'priceOf', 1210, 12),
        error: { name: 'TypeError', message: 'no rate', stack: 'TypeError: no rate' },
      },
    ],
  };
}

async function openDetails(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page
    .getByRole('row', { name: /POST \/orders\/17/ })
    .getByRole('button', { name: 'View' })
    .click();
  await expect(
    page.getByRole('dialog', { name: 'Trace details' }).getByRole('tree', { name: 'Steps' }),
  ).toBeVisible();
}

function prepare(page: Page, account: Account): Promise<void> {
  return signUpWithTraces(page, account, [waitingOrder(new Date())]);
}

test('a trace has its own page, which can be reloaded, shared and opened after login', async ({
  page,
  context,
  ada,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await prepare(page, ada);
  await openDetails(page);
  await expect(page.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('searchbox', { name: /Find steps/ }).fill('Of');
  await page.getByRole('treeitem', { name: /priceOf/ }).click();
  await expect(page).toHaveURL(/step=priceOf/);
  await expect(page).toHaveURL(/find=Of/);
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page).toHaveURL(/\/traces\/[0-9a-f-]{36}\?/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const heading = page.getByRole('heading', { level: 1, name: '/orders/17' });
  const selected = page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { selected: true });
  await expect(heading).toBeVisible();
  await expect(heading.locator('..').locator('time')).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
  await expect(page).toHaveTitle(/POST \/orders\/17/);
  await expect(selected).toContainText('priceOf');
  await expect(page.getByText('2 of 34 steps')).toBeVisible();
  await page.reload();
  await expect(selected).toContainText('priceOf');
  await expect(page.getByRole('tree', { name: 'Local variables' })).toContainText('7');
  await expectNoViolation(page, 'a trace on its page');

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Link' }).click();
  await expect(page.getByText('Link: copied.')).toBeVisible();
  const link = await readClipboard(page);
  expect(link).toContain('step=priceOf');
  expect(link).toContain('find=Of');

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.goto(link);
  await fillLogin(page, ada);
  await expect(selected).toContainText('priceOf');
  await page.getByRole('link', { name: 'All traces' }).click();
  await expect(page.getByRole('row', { name: /POST \/orders\/17/ })).toBeVisible();
});

test('a missing trace and a trace of another organization are reported as not found @long', async ({
  page,
  browser,
  baseURL,
  ada,
  grace,
}) => {
  await prepare(page, ada);
  await openDetails(page);
  const id = new URL(page.url()).searchParams.get('trace');
  for (const path of ['/traces/nonsense', '/traces/0190a000-0000-7000-8000-000000000000']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: 'Trace not found' })).toBeVisible();
  }
  await expectNoViolation(page, 'not found');
  const stranger = await browser.newPage(baseURL === undefined ? {} : { baseURL });
  await signUp(stranger, grace);
  await stranger.goto(`/traces/${id}`);
  await expect(stranger.getByRole('heading', { level: 1, name: 'Trace not found' })).toBeVisible();
  await stranger.close();
});

test('a request can be copied as a cURL command without secrets, as a summary and as JSON @long', async ({
  page,
  context,
  ada,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await prepare(page, ada);
  await openDetails(page);
  const copied = async (what: string): Promise<string> => {
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('menuitem', { name: what }).click();
    await expect(page.getByText(`${what}: copied.`)).toBeVisible();
    return readClipboard(page);
  };
  const command = await copied('cURL command');
  expect(command).toContain(`"\${REDACTED_AUTHORIZATION:?}"`);
  expect(command).toContain('http://shop.example/orders/17?page=2');
  expect(command).not.toContain('s3cr3t');
  const summary = await copied('Markdown summary');
  expect(summary).toContain('**Failed in `taxOf`');
  expect(summary).toMatch(/\/traces\/[0-9a-f-]{36}/);
  const json: unknown = JSON.parse(await copied('JSON'));
  expect(json).toMatchObject({ request: { path: '/orders/17' }, response: { statusCode: 500 } });
});

test('a name or value of a step can be searched for, and copied by a key @long', async ({
  page,
  context,
  ada,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await prepare(page, ada);
  await openDetails(page);
  await page.getByRole('treeitem', { name: /priceOf/ }).click();
  const find = page.getByRole('searchbox', { name: "Find in this step's values" });
  const locals = page.getByRole('tree', { name: 'Local variables' });
  await expect(locals.getByRole('treeitem')).toHaveCount(2);
  await find.fill('uk');
  await expect(page.getByText('1 place', { exact: true })).toBeVisible();
  await expect(locals.getByRole('treeitem')).toHaveText([/basket/, /address/, /country.*UK/]);
  await expectNoViolation(page, 'values that were looked for');
  await find.fill('nowhere');
  await expect(page.getByText('No matches')).toBeVisible();
  await expect(locals).toHaveCount(0);
  await find.press('Escape');
  await expect(find).toHaveValue('');
  await expect(locals.getByRole('treeitem')).toHaveCount(2);
  await locals.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('p');
  await expect(page.getByText('Copied basket')).toBeAttached();
  expect(await readClipboard(page)).toBe('basket');
  await page.keyboard.press('c');
  await expect(page.getByText('Copied value')).toBeAttached();
  expect(JSON.parse(await readClipboard(page))).toEqual({ parts: 3, address: { country: 'UK' } });
});

test('keys open the previous and the next trace, also a trace without steps, and the divider between the panes keeps its position @long', async ({
  page,
  ada,
}) => {
  const now = Date.now();
  await signUpWithTraces(page, ada, [
    waitingOrder(new Date(now)),
    plainRequest('/without-steps', new Date(now - 1000)),
  ]);
  await openDetails(page);
  const divider = page.getByRole('separator', { name: 'Resize panels' });
  const place = await divider.getAttribute('aria-valuenow');
  await divider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(divider).not.toHaveAttribute('aria-valuenow', place ?? '');
  const moved = await divider.getAttribute('aria-valuenow');
  await page.keyboard.press('s');
  await expect(page.getByRole('treeitem', { selected: true }).first()).toContainText('createOrder');
  await page.keyboard.press(']');
  const dialog = page.getByRole('dialog', { name: 'Trace details' });
  await expect(dialog.getByText('/without-steps').first()).toBeVisible();
  await page.keyboard.press('[');
  await expect(divider).toHaveAttribute('aria-valuenow', moved ?? '');
  await page.keyboard.press(']');
  await dialog.getByRole('button', { name: 'Flow graph' }).click();
  await expect(page.getByText('No flow data available')).toBeVisible();
});

test('the details next to the flow graph can be closed so that the graph has the whole width, and stay closed @long', async ({
  page,
  ada,
}) => {
  await prepare(page, ada);
  await openOwnTrace(page, '?view=flow');
  const [graph, details] = [page.locator('.react-flow'), page.getByRole('region', { name: /^Step \d+: / })];
  const width = async (part: Locator) => (await part.boundingBox())?.width ?? Number.NaN;
  const shareOfPage = async () => (await width(graph)) / (await width(page.getByRole('main')));
  await expect(details).toBeVisible();
  expect(await shareOfPage()).toBeLessThan(0.7);
  await page.getByRole('button', { name: 'Hide step details' }).focus();
  await page.keyboard.press('Enter');
  await expect(details).toBeHidden();
  await expect.poll(shareOfPage).toBeGreaterThan(0.95);
  await page.reload();
  await expect(graph).toBeVisible();
  await expect(details).toBeHidden();
  await page.getByRole('radiogroup', { name: 'Graph of' }).getByText('Functions').click();
  await expect.poll(shareOfPage).toBeGreaterThan(0.95);
  await page.getByRole('button', { name: 'Show step details' }).focus();
  await page.keyboard.press('Enter');
  await expect(details).toBeVisible();
});

test('the timeline shows when steps ran, and keeps the selection while other views are open @long', async ({
  page,
  ada,
}) => {
  await prepare(page, ada);
  await openDetails(page);
  const selected = page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem', { selected: true });
  await expect(selected).toContainText('taxOf');
  await expect(selected).toContainText('begins at 1.21 s');
  const loadCart = page.getByRole('treeitem', { name: /loadCart/ });
  const width = async () => (await loadCart.locator('[class*=bar]').first().boundingBox())?.width ?? 0;
  const wide = await width();
  await page.getByRole('switch', { name: /Compress idle 1\.\d\d s/ }).click();
  await expect.poll(width).toBeLessThan(wide / 5);
  await page.getByRole('tree', { name: 'Steps' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(selected).toContainText('priceOf');
  await page.getByRole('tab', { name: 'Sequence' }).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(selected).toContainText('priceOf');
  await expectNoViolation(page, 'timeline');
});

test('the flame graph can be read by pointer, by keys and by a screen reader @long', async ({
  page,
  ada,
}) => {
  await prepare(page, ada);
  await openDetails(page);
  await page.getByRole('tab', { name: 'Flame graph' }).click();
  const words = page.getByRole('tabpanel').getByRole('status').first();
  await expect(words).toContainText('taxOf: ');
  const picture = page.getByRole('application', { name: /Flame graph/ });
  await picture.focus();
  await page.keyboard.press('ArrowUp');
  await expect(words).toContainText('priceOf: ');
  await page.keyboard.press('ArrowUp');
  await expect(words).toContainText(/createOrder: .*, total 1\.23 s, self 1\.\d\d s, 1 call/);
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeEnabled();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await picture.click({ position: { x: 100, y: 30 } });
  await expect(words).toContainText('createOrder: ');
  await expectNoViolation(page, 'flame graph');
  await page.getByText('Table', { exact: true }).click();
  await expect(page.getByRole('row', { name: /SELECT \* FROM parts/ })).toContainText('30');
  await page.getByRole('button', { name: 'priceOf' }).click();
  await expect(words).toContainText('priceOf: ');
  await expectNoViolation(page, 'table of functions');
});
