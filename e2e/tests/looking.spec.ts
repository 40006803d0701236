import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from '../harness/browser/accessible.ts';
import { savedPng, savedSvg } from '../harness/browser/saved-picture.ts';
import { chooseTime } from '../harness/pages/time-range.ts';
import type { Account } from '../harness/people/people.ts';
import { signUpWithTraces } from '../harness/people/signed-up.ts';
import { test } from '../harness/server/worker-server.ts';
import { requestWith } from '../harness/traces/extreme-traces.ts';
import { orderOfServices } from '../harness/traces/order-of-services.ts';
import { openOwnTrace } from '../harness/traces/own-trace.ts';
import { plainRequest, sendTraces } from '../harness/traces/traces.ts';

async function openOrder(page: Page, account: Account): Promise<void> {
  const { shop, pay } = orderOfServices(new Date());
  await signUpWithTraces(page, account, [shop]);
  await sendTraces(page, [pay], 'payments');
  await page.goto('/dashboard');
  await page
    .getByRole('row', { name: /POST \/orders\/17/ })
    .getByRole('button', { name: 'View' })
    .click();
  await expect(page.getByRole('tree', { name: 'Steps' })).toBeVisible();
}

test('steps can be filtered, and the jump buttons select the first failed step and the slowest step @long', async ({
  page,
  ada,
}) => {
  await openOrder(page, ada);
  const tree = page.getByRole('tree', { name: 'Steps' });
  const selected = tree.getByRole('treeitem', { selected: true });
  const items = tree.getByRole('treeitem');
  await expect(items).toHaveCount(5);
  await expect(tree.getByRole('treeitem', { name: /charge/ })).toContainText('charge');
  await expect(tree.getByLabel('on the critical path')).toHaveCount(0);

  await page.keyboard.press('f');
  await page.keyboard.type('tax.ts:18');
  await expect(items).toHaveCount(2);
  await expect(page.getByText('1 of 5 steps')).toBeVisible();
  await expect(page).toHaveURL(/find=tax.ts%3A18/);
  await page.reload();
  await expect(items).toHaveCount(2);

  // If a jump button leads to a step that the filter hides, the tree lists all steps again.
  await page.getByRole('button', { name: 'Slowest' }).click();
  await expect(items).toHaveCount(5);
  await expect(selected).toContainText('charge');
  await page.getByRole('button', { name: 'First error' }).click();
  await expect(selected).toContainText('taxOf');

  await page.getByText(/^Critical path/).click();
  await expect(items).toHaveCount(4);
  const charge = tree.getByRole('treeitem', { name: /charge/ });
  await expect(charge.getByLabel('on the critical path')).toBeVisible();
  await expect(charge.locator('[class*=critical]')).not.toHaveCount(0);
  await expect(tree).not.toContainText('audit');
  await page.getByText(/^Errors 1/).click();
  await expect(items).toHaveCount(2);
  await page.getByRole('search', { name: 'Steps' }).getByText('All', { exact: true }).click();
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('c');
  await expect(selected).toContainText('SELECT carts');
  await page.getByLabel('Find steps by name').fill('nothing of this name');
  await expect(page.getByText('No step matches.')).toBeVisible();
  await expectNoViolation(page, 'no step matches');
  await page.getByRole('button', { name: 'Show all steps', exact: true }).click();
  await expect(items).toHaveCount(5);
  await expectNoViolation(page, 'steps with their filter');
});

test('the sequence diagram shows calls between services, and opens the request in the other service @long', async ({
  page,
  ada,
}) => {
  await openOrder(page, ada);
  await page.getByRole('tab', { name: 'Sequence' }).click();
  const list = page.getByRole('listbox', { name: 'Sequence of calls' });
  await expect(list.getByRole('option')).toHaveText([
    /POST \/orders\/17/,
    /SELECT carts/,
    /POST pay.example\/charge/,
    /POST \/charge/,
    /INSERT charges/,
    /201/,
    /500/,
  ]);
  await expect(list.getByRole('option', { name: /calls postgresql shop: SELECT carts/ })).toBeVisible();
  await list.getByRole('option', { name: /SELECT carts/ }).click();
  await expect(page.getByRole('region', { name: /Step 2: SELECT carts/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toContainText('pay.example');
  await expectNoViolation(page, 'sequence');
  await page.setViewportSize({ width: 360, height: 800 });
  // The diagram is wider than the window, and fades out at the side beyond which it continues.
  await page.getByRole('tab', { name: 'Sequence' }).focus();
  const readMask = () => list.evaluate((rows) => getComputedStyle(rows.parentElement ?? rows).maskImage);
  await expect.poll(readMask).toContain('calc(100% - 32px)');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(readMask).toMatch(/100%, rgba\(0, 0, 0, 0\)|100% - 0px/);
  await list.getByRole('option', { name: 'orders calls payments: POST /charge' }).click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: '/charge' })).toBeVisible();
});

test('the Source tab shows each line with its values @long', async ({ page, ada }) => {
  await openOrder(page, ada);
  await page.getByRole('tab', { name: 'Source' }).click();
  const list = page.getByRole('listbox', { name: 'Files and functions' });
  const line = list.getByRole('option', { name: /src\/tax.ts line 18: taxOf/ });
  await expect(line).toHaveAttribute('aria-selected', 'true');
  await expect(line).toContainText('country "UK"');
  await expect(line).toContainText('threw no rate');
  await expect(list).toContainText('src/audit.ts');
  await list.focus();
  await page.keyboard.press('Home');
  await expect(list.getByRole('option', { selected: true })).toContainText('createOrder');
  await expectNoViolation(page, 'files');
});

test('the calls of one line can be selected one by one by pointer and keys, and the line contains no button @long', async ({
  page,
  ada,
}) => {
  const calls = requestWith('/calls', new Date(), 4, (index) => ({
    stepName: 'price',
    filePath: 'src/price.ts',
    lineNumber: 7,
    variables: { parameters: { index }, returnValue: index * 10 },
  }));
  await signUpWithTraces(page, ada, [calls]);
  await openOwnTrace(page, '?view=files&step=s0');
  const row = page.getByRole('option', { name: /price.ts line 7/ });
  await expect(row).toContainText('call 1 of 4');
  await expect(row).toContainText('returned 0');
  await row.getByText('›').click();
  await expect(row).toContainText('call 2 of 4');
  await page.getByRole('listbox', { name: 'Files and functions' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(row).toContainText('call 3 of 4');
  await row.getByText('‹').click();
  await expect(row).toContainText('returned 10');
  await expectNoViolation(page, 'calls of a line');
});

test('the timeline can be zoomed, and has a lane for each service @long', async ({ page, ada }) => {
  await openOrder(page, ada);
  const lanes = page.getByRole('list', { name: 'Services' });
  await expect(lanes.getByRole('listitem')).toHaveText([/orders/, /payments/]);
  const charge = page
    .getByRole('treeitem', { name: /charge/ })
    .locator('[class*=bar]')
    .first();
  const width = async () => (await charge.boundingBox())?.width ?? 0;
  const whole = await width();
  // The selected step stays in view.
  await page.getByRole('treeitem', { name: /charge/ }).click();
  await page.getByRole('button', { name: 'Zoom in (key +)' }).click();
  await expect.poll(width).toBeGreaterThan(whole * 1.05);
  await page.keyboard.press('0');
  await expect.poll(width).toBeCloseTo(whole, 0);
  // An open tooltip is rendered outside the page's landmarks, so the pointer is moved away.
  await page.mouse.move(0, 0);
  await page.getByRole('tree', { name: 'Steps' }).focus();
  await expectNoViolation(page, 'timeline with lanes');
  await lanes.getByRole('button', { name: /Open payments: POST \/charge/ }).click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: '/charge' })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /INSERT charges/ })).toBeVisible();
});

test('the flow graph can be folded, unfolded and saved as an image @long', async ({ page, ada }) => {
  await openOrder(page, ada);
  await page.getByRole('button', { name: 'Flow graph' }).click();
  const cards = page.locator('.react-flow__node-entry');
  await expect(cards).toHaveCount(5);
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect(cards).toHaveCount(1);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect(cards).toHaveCount(5);
  const view = page.locator('.react-flow__viewport');
  const whole = await view.getAttribute('style');
  await page.getByRole('button', { name: 'Zoom In' }).click();
  await expect(view).not.toHaveAttribute('style', whole ?? '');
  await page.getByRole('button', { name: 'Fit View' }).click();
  const box = page.getByTestId('rf__wrapper');
  await expect(async () => {
    const around = await box.boundingBox();
    for (const card of await cards.all()) {
      const { x, y, width, height } = (await card.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      expect(x).toBeGreaterThanOrEqual(around?.x ?? Number.NaN);
      expect(x + width).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
      expect(y).toBeGreaterThanOrEqual(around?.y ?? Number.NaN);
      expect(y + height).toBeLessThanOrEqual((around?.y ?? 0) + (around?.height ?? 0));
    }
  }).toPass({ timeout: 20_000 });
  const svg = await savedSvg(page);
  expect(svg.text).toContain('SELECT carts');
  // The picture has twice the resolution of the page.
  expect(await savedPng(page)).toEqual({
    width: Math.round(svg.width * 2),
    height: Math.round(svg.height * 2),
  });
});

test('selecting a range in a chart filters the list, and the URL keeps the range @long', async ({
  page,
  ada,
}) => {
  const now = Date.now();
  await signUpWithTraces(
    page,
    ada,
    Array.from({ length: 20 }, (_, index) => ({
      ...plainRequest(`/parts/${index}`, new Date(now - index * 60_000)),
      timing: { startTime: new Date(now - index * 60_000).toISOString(), duration: 1 + index * 10 },
    })),
  );
  await page.goto('/dashboard');
  const rows = page.getByRole('table', { name: 'Recent traces' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(20);
  const tile = (name: string) => page.locator('dl > div').filter({ hasText: name });
  await expect(tile('Total Traces')).toContainText('20');
  // The free trial retains one hour, so there is no data for the hour before the range.
  await chooseTime(page, 'Last hour');
  await expect(tile('Total Traces')).toContainText('No earlier data');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // The range covers six minutes with six requests. The six minutes before the range have six slower requests.
  const [from, to] = [-5.5, 0.5].map((minutes) => new Date(now + minutes * 60_000).toISOString());
  await page.goto(`/dashboard?from=${from}&to=${to}`);
  await expect(tile('Total Traces')).toContainText('Unchanged');
  await expect(tile('Avg Duration')).toContainText('−69.8 % better, was 86 ms');
  await expect(page.getByRole('img', { name: 'Total Traces over time: lowest 0, highest 1' })).toBeVisible();
  await chooseTime(page, 'All time');
  await expect(rows).toHaveCount(20);
  const times = page.getByRole('application', { name: /^Requests over time/ });
  const box = await times.boundingBox();
  if (box === null) throw new Error('the chart is not there');
  await page.mouse.move(box.x + box.width * 0.75, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*&to=|to=.*&from=/);
  await expect.poll(() => rows.count()).toBeLessThan(8);
  await expect(rows.first()).toContainText('/parts/0');
  await expect(page.getByText('Paused')).toBeVisible();
  await page.reload();
  await expect.poll(() => rows.count()).toBeLessThan(8);
  await expectNoViolation(page, 'dashboard with charts');
  await page.getByRole('button', { name: 'Resume live traces' }).click();
  await expect(rows).toHaveCount(20);

  // Selects the slowest bar by keyboard.
  await page.getByRole('application', { name: /^Durations/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(4);
  await expect(rows.last()).toContainText('/parts/19');
  await page.keyboard.press('Escape');
  await expect(rows).toHaveCount(20);
});

test('the chosen columns and time format are remembered @long', async ({ page, ada }) => {
  await signUpWithTraces(page, ada, [plainRequest('/parts', new Date())]);
  await page.goto('/dashboard');
  const heads = page.getByRole('table', { name: 'Recent traces' }).getByRole('columnheader');
  await expect(heads).toHaveText(['Method', 'Path', 'Status', 'Duration', 'Timestamp', 'Steps', 'Actions']);
  await page.getByRole('button', { name: 'Columns, rows and times' }).click();
  await page.getByRole('checkbox', { name: 'Steps' }).click();
  await page.getByRole('checkbox', { name: 'Service' }).click();
  await page.getByRole('button', { name: 'Move Service up' }).click();
  const chosen = ['Method', 'Path', 'Status', 'Duration', 'Service', 'Timestamp', 'Actions'];
  await expect(heads).toHaveText(chosen);
  await page.getByText('Absolute', { exact: true }).click();
  await expect(page.getByRole('row', { name: /\/parts/ }).getByRole('time')).toHaveText(
    /^\d\d:\d\d:\d\d\.\d{3}$/,
  );
  await expectNoViolation(page, 'columns');
  await page.reload();
  await expect(heads).toHaveText(chosen);
  await expect(page.getByRole('row', { name: /\/parts/ }).getByRole('time')).toHaveText(/^\d\d:\d\d/);
});

test('a list filtered by user shows the users, at every width @long', async ({ page, ada }) => {
  const ofUser = (path: string, more: object) => ({ ...plainRequest(path, new Date()), ...more });
  await signUpWithTraces(page, ada, [
    ofUser('/cart', { user: { id: 'customer-17' }, sessionId: 'visit-3' }),
    plainRequest('/health', new Date()),
  ]);
  await page.goto('/dashboard?users=known');
  const table = page.getByRole('table', { name: 'Recent traces' });
  const row = table.getByRole('row', { name: /\/cart/ });
  await expect(table.getByRole('columnheader', { name: 'User' })).toBeVisible();
  await expect(row.getByRole('cell', { name: 'customer-17' })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await row.scrollIntoViewIfNeeded();
  await expect(row.getByRole('cell', { name: /customer-17/ })).toBeInViewport();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Columns, rows and times' }).click();
  // The column of the active filter cannot be hidden: without it, the user could not see why rows are missing.
  await expect(page.getByRole('checkbox', { name: 'User' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Session' }).click();
  await expect(row.getByRole('cell', { name: 'visit-3' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(table.getByRole('row', { name: /\/health/ }).getByRole('cell', { name: '–' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'User' })).toHaveCount(0);
});

test('the command palette opens a page and a trace, and the key ? lists the keyboard shortcuts @long', async ({
  page,
  ada,
}) => {
  await openOrder(page, ada);
  // The dialog of shortcuts opens above the trace's dialog; Escape closes only the dialog of shortcuts.
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys.getByRole('row', { name: /Next error/ })).toBeVisible();
  await expectNoViolation(page, 'keys');
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  const field = palette.getByRole('combobox');
  await expect(field).toBeFocused();
  await expectNoViolation(page, 'palette');
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'Trace details' })).toBeVisible();

  await page.keyboard.press('Control+k');
  await field.fill('raw');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/raw-traces/);
  await page.keyboard.press('Control+k');
  await field.fill('/charge');
  await expect(palette.getByRole('option', { name: /POST \/charge/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '/charge' })).toBeVisible();
});

test('a printed trace contains all of its steps and no navigation @long', async ({ page, ada }) => {
  const at = new Date();
  const flow = Array.from({ length: 80 }, (_, index) => ({
    stepId: `step-${index}`,
    stepName: `step ${index}`,
    stepType: 'function',
    startTime: at.toISOString(),
    duration: 1,
  }));
  await signUpWithTraces(page, ada, [{ ...plainRequest('/long', at), flow }]);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('link', { name: 'Open as page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '/long' })).toBeVisible();
  const items = page.getByRole('treeitem');
  await expect(items.first()).toBeVisible();
  expect(await items.count()).toBeLessThan(80);
  const scheme = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.emulateMedia({ media: 'print' });
  await expect(items).toHaveCount(80);
  await expect(page.getByRole('heading', { level: 1, name: '/long' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Slowest' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect.poll(() => items.count()).toBeLessThan(80);
});

test('the critical path includes a request that the HTTP listener does not await @long', async ({
  page,
  ada,
}) => {
  const at = new Date();
  const step = (stepId: string, parentStepId: string | null, startMs: number, duration: number) => ({
    stepId,
    parentStepId,
    stepName: stepId,
    stepType: 'function',
    startTime: new Date(at.getTime() + startMs).toISOString(),
    duration,
  });
  const flow = [
    step('listener', null, 0, 11),
    step('handle', 'listener', 1, 743),
    step('log', 'listener', 2, 5),
  ];
  const timing = { startTime: at.toISOString(), duration: 796 };
  await signUpWithTraces(page, ada, [{ ...plainRequest('/', at), timing, flow }]);
  await page.goto('/dashboard');
  await page.locator('[data-row]').first().click();
  await expect(page.getByText('Critical path 744 ms')).toBeVisible();
  const line = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });
  await page.getByText('Critical path 744 ms').click();
  await expect(line('handle').getByLabel('on the critical path')).toBeVisible();
  await expect(line('log')).toHaveCount(0);
});
