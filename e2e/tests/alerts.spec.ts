import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleInBoth, expectNoViolation } from '../harness/browser/accessible.ts';
import { findLayoutFaults } from '../harness/browser/layout.ts';
import { ada, grace } from '../harness/people/people.ts';
import { addProject, signUp, signUpWithTraces } from '../harness/people/signed-up.ts';
import { serveWithRecipient } from '../harness/server/hook-recipient.ts';
import { failedOrder, sendTraces } from '../harness/traces/traces.ts';

const PHONE = { width: 360, height: 740 };

const served = serveWithRecipient();

async function openSettings(page: Page) {
  await page.goto('/projects');
  await page.getByRole('button', { name: 'More actions for orders' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const section = page.getByRole('region', { name: 'Alerts', exact: true });
  await expect(section.getByText('No alert is set up.')).toBeVisible();
  return section;
}

test('an alert is created by keyboard, its secret is shown once, and its test message arrives', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUpWithTraces(page, ada, [failedOrder(new Date())]);
  const section = await openSettings(page);
  await section.getByRole('button', { name: 'New alert…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await expect(dialog.getByLabel('Alert on')).toBeFocused();
  await page.keyboard.type('Error rate');
  await expect(dialog.getByLabel('Threshold (%)')).toHaveValue('5');
  await dialog.getByLabel('Threshold (%)').fill('2');
  await dialog.getByLabel('Minutes').fill('10');
  await dialog.getByLabel('Service').fill('shop');
  await dialog.getByLabel('Quiet hours').press('Space');
  await dialog.getByLabel('From').fill('22:00');
  await expectAccessibleInBoth(page, 'the form of an alert');
  await dialog.getByLabel('From').press('Enter');
  await expect(dialog.getByRole('alert')).toContainText(
    'An alert needs a recipient: a person, a webhook or Slack',
  );
  await dialog.getByLabel('Webhook', { exact: true }).fill(`${served.recipient.url}/good`);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/^whsec_/)).toBeVisible();
  await expectNoViolation(page, 'the secret of a webhook');
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(dialog).toHaveCount(0);

  const rule = section.getByRole('table', { name: 'Alert rules' }).locator('tbody tr');
  await expect(rule).toContainText('Error rate above 2 % for 10 min');
  await expect(rule).toContainText(/OK/);
  await expect(section.getByText('No alert has fired.')).toBeVisible();
  await expect(rule).toContainText(/shop · webhook http:\/\/127\.0\.0\.1:\d+\/… · quiet 22:00 to 07:00/);
  await rule.getByRole('button', { name: /^Test/ }).press('Enter');
  await expect(section.getByText('Sending 1 test message.')).toBeVisible();
  const delivery = section.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
  await expect(delivery).toContainText(/Test: Error rate above 2 % for 10 min\s*Sent/);
  expect(served.recipient.bodies.map((body) => JSON.parse(body).event)).toEqual(['test']);
  await expectAccessibleInBoth(page, 'settings with an alert');
});

test('the buttons of the alert dialog, and the reason why an alert cannot be saved, stay in view in a low window', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUpWithTraces(page, { ...ada, email: 'low@example.com' }, [failedOrder(new Date())]);
  const section = await openSettings(page);
  await page.setViewportSize({ width: 720, height: 450 });
  await section.getByRole('button', { name: 'New alert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  const save = dialog.getByRole('button', { name: 'Create alert' });
  await expect(save).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 });
  await save.click();
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 });
  // A field that gets the focus is above the buttons, not behind them.
  await dialog.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.getByLabel('Paused')).toBeFocused();
  const [field, footer] = [
    await dialog.getByLabel('Paused').boundingBox(),
    await dialog.getByRole('alert').boundingBox(),
  ];
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0);
});

test('the filter of an alert is typed with completion, and the dialog rejects terms that the kind of the alert cannot apply', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUpWithTraces(page, { ...ada, email: 'filters@example.com' }, [failedOrder(new Date())]);
  const section = await openSettings(page);
  await section.getByRole('button', { name: 'New alert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByLabel('Alert on').selectOption('p95');
  const field = dialog.getByRole('combobox', { name: 'Filter' });
  await field.fill('rout');
  await page.getByRole('option', { name: /^route:/ }).click();
  await expect(field).toHaveValue('route:');
  await page.getByRole('option', { name: 'route:/orders/:id' }).click();
  const chips = dialog.getByRole('group', { name: 'Active filters' });
  await expect(chips).toContainText('route:/orders/:id');

  await field.pressSequentially('stauts:5xx');
  await field.press('Enter');
  const problem = dialog.getByRole('alert');
  await expect(problem).toHaveText('Characters 1 to 6: Unknown field “stauts”. Did you mean “status”?');
  await expectAccessibleInBoth(page, 'the form of an alert with an invalid filter');
  await dialog.getByRole('button', { name: 'Replace with “status”' }).click();
  await expect(field).toHaveValue('status:5xx');
  await field.press('Enter');
  await field.fill('value:gold');
  await field.press('Enter');
  await expect(problem).toContainText('“value” cannot be used in alerts');
  await field.fill('step:charge -instance:w3');
  await field.press('Enter');
  await dialog.getByLabel('Webhook', { exact: true }).fill(`${served.recipient.url}/good`);
  await expect(chips.getByRole('button', { name: /^Edit filter/ })).toHaveText([
    'status:5xx',
    'route:/orders/:id',
    '-instance:w3',
    'step:charge',
  ]);

  await dialog.getByLabel('Alert on').selectOption('no_traffic');
  await expect(problem).toContainText('“step” can only be used in alerts on the error rate or P95');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await expect(field).toBeFocused();
  await dialog.getByRole('button', { name: 'Remove filter: step:charge' }).click();
  await expect(problem).toHaveCount(0);
  await page.setViewportSize(PHONE);
  expect(await findLayoutFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const rule = section.getByRole('table', { name: 'Alert rules' }).locator('tbody tr');
  await expect(rule).toContainText('status:5xx route:/orders/:id -instance:w3');

  await rule.getByRole('button', { name: /^Edit/ }).click();
  const edited = page.getByRole('dialog', { name: 'Edit alert' });
  await edited.getByRole('button', { name: 'Edit filter: -instance:w3' }).click();
  // Saving adds the terms that are still being typed.
  await edited.getByRole('combobox', { name: 'Filter' }).fill('-instance:w4');
  await edited.getByRole('button', { name: 'Save alert' }).click();
  await expect(edited).toHaveCount(0);
  await expect(rule).toContainText('status:5xx route:/orders/:id -instance:w4');
});

test('an incident is listed, can be filtered, and links to its failed requests @long', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUp(page, { ...ada, email: 'incidents@example.com' });
  await addProject(page, 'orders');
  const section = await openSettings(page);
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  const addAlert = async (kind: string, hook: string) => {
    await section.getByRole('button', { name: 'New alert…' }).click();
    await dialog.getByLabel('Alert on').selectOption(kind);
    await dialog.getByLabel('Slack webhook').fill(`${served.recipient.url}/${hook}`);
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await expect(dialog).toHaveCount(0);
  };
  await addAlert('new_error', 'bad');
  await addAlert('error_rate', 'good');
  await sendTraces(page, [failedOrder(new Date())]);
  const incident = section.getByRole('list', { name: 'Incidents' }).getByRole('listitem');
  // The server checks a rule once a minute.
  await expect(incident).toContainText('Ongoing', { timeout: 90_000 });
  await expect(incident).toContainText(/Since \d\d:\d\d, for \d+ min/);
  await expect(incident).toContainText(/Messages at start: 1 waiting/);
  await expect(incident).toContainText('The server responded with HTTP 500.');
  await expectAccessibleInBoth(page, 'settings with an incident');
  await page.setViewportSize(PHONE);
  expect(await findLayoutFaults(page)).toEqual([]);

  await section.getByLabel('Show incidents in state').selectOption('Ended');
  await expect(section.getByText('No incident matches the filter.')).toBeVisible();
  await section.getByLabel('Show incidents in state').selectOption('Ongoing');
  await expect(incident).toHaveCount(1);
  await section.getByLabel('Show incidents of alert').selectOption('Error rate above 5 % for 5 min');
  await expect(section.getByText('No incident matches the filter.')).toBeVisible();
  await section.getByLabel('Show incidents of alert').selectOption('New error');
  await section.getByLabel('Search incidents').fill('nothing like this');
  await expect(section.getByText('No matching incidents')).toBeVisible();
  await section.getByLabel('Search incidents').fill('new ERROR');
  await section.getByLabel('Sort incidents').selectOption('Longest first');
  await expect(page).toHaveURL(/incidents%3A-duration%3Anew.ERROR/);
  await page.reload();
  await expect(section.getByLabel('Sort incidents')).toHaveValue('Longest first');
  await expect(section.getByLabel('Search incidents')).toHaveValue('new ERROR');
  await expect(incident).toHaveCount(1);

  await page.route('**/alert-incidents*', (route) => route.abort());
  await page.reload();
  await expect(section.getByText('The incidents could not be loaded.')).toBeVisible();
  await page.unroute('**/alert-incidents*');
  await section.getByRole('button', { name: /again/i }).click();
  await incident.getByRole('link', { name: /^Requests/ }).click();
  await expect(page).toHaveURL(/\/dashboard\?.*errorIds=/);
  await expect(page.getByRole('row').filter({ hasText: '/orders/' })).toHaveCount(1);
});

test('a failing webhook is shown with its response and the next attempt, also on a phone @long', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUpWithTraces(page, grace, [failedOrder(new Date())]);
  const section = await openSettings(page);
  await page.setViewportSize(PHONE);
  await section.getByRole('button', { name: 'New alert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  await dialog.getByLabel('Slack webhook').fill(`${served.recipient.url}/bad`);
  expect(await findLayoutFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  await expect(section.getByText('The alert was saved.')).toBeVisible();
  await section.getByRole('button', { name: /^Test/ }).click();
  const delivery = section.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
  await expect(delivery).toContainText('The server responded with HTTP 500.');
  await expect(delivery).toContainText(/Waiting.*Attempt 1 of 12 failed, next at \d\d:\d\d:\d\d/);
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectNoViolation(page, 'settings with a failing endpoint');

  await section.getByRole('button', { name: /^Edit/ }).click();
  const edit = page.getByRole('dialog', { name: 'Edit alert' });
  await edit.getByRole('checkbox', { name: 'Paused' }).check();
  await edit.getByRole('button', { name: 'Save alert' }).click();
  await expect(section.getByText('Paused')).toBeVisible();
  await section.getByRole('button', { name: /^Delete/ }).click();
  await expect(section.getByText('No alert is set up.')).toBeVisible();
});

test('the link to the insight of an incident opens the insights in Analytics @long', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUpWithTraces(page, { ...ada, email: 'insights@example.com' }, [failedOrder(new Date())]);
  const openedAt = new Date().toISOString();
  const id = '00000000-0000-7000-8000-000000000001';
  const scope = { service: null, environment: null, endpoint: null, threshold: null, minutes: null };
  const insight = {
    id: '0123456789abcdef',
    service: 'shop',
    severity: 'high',
    title: 'Orders became slower',
    foundAt: openedAt,
  };
  const incident = {
    ...{ id, rule: { id, kind: 'insight', severity: 'high', ...scope }, openedAt, closedAt: null },
    ...{ peak: null, error: null, insight, waitsForQuietHours: false, deliveries: [] },
  };
  await page.route('**/alert-incidents*', (route) =>
    route.fulfill({ json: { incidents: [incident], nextCursor: null } }),
  );
  const section = await openSettings(page);
  await section.getByRole('button', { name: 'New alert…' }).click();
  await page.getByRole('dialog').getByLabel('Slack webhook').fill(`${served.recipient.url}/good`);
  await page.getByRole('dialog').getByRole('button', { name: 'Create alert' }).click();
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size);
    await page.getByRole('link', { name: 'Orders became slower' }).click();
    await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
    expect(new URL(page.url()).searchParams.get('to')).toBe(openedAt);
    const heading = page.getByRole('heading', { name: 'Insights', exact: true });
    await expect(heading).toBeFocused();
    // Nothing covers the heading, and the first findings below the heading are in view.
    await heading.click({ trial: true });
    await expect(
      page.getByRole('region', { name: 'Insights' }).getByRole('article').first(),
    ).toBeInViewport();
    await page.goBack();
  }
});

test('the deliveries of alerts have a heading while they load, if they cannot be loaded, and if there are none', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUp(page, { ...ada, email: 'deliveries@example.com' });
  await addProject(page, 'orders');
  const section = await openSettings(page);
  const heading = section.getByRole('heading', { name: /^Deliveries/ });
  await expect(heading).toHaveCount(0);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/alert-deliveries*', async (route) => {
    await isAnswered;
    await route.abort();
  });
  await section.getByRole('button', { name: 'New alert…' }).click();
  await page.getByRole('dialog').getByLabel('Slack webhook').fill(`${served.recipient.url}/good`);
  await page.getByRole('dialog').getByRole('button', { name: 'Create alert' }).click();
  await expect(section.getByText('The alert was saved.')).toBeVisible();
  await page.reload();
  await expect(heading).toBeVisible();
  await expect(section.getByText('Loading deliveries…')).toBeAttached();
  answer();
  await expect(section.getByRole('alert')).toContainText('The deliveries could not be loaded.');
  await expect(heading).toBeVisible();
  await page.unrouteAll();
  await section.getByRole('button', { name: 'Try Again' }).click();
  await expect(section.getByText('No message was sent.')).toBeVisible();
});

test('the sort order and the search apply to all deliveries, not only to the shown ones, also from a link, and deliveries are cards on a phone', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUp(page, { ...ada, email: 'sorted-deliveries@example.com' });
  await addProject(page, 'orders');
  const createdAt = (index: number) => new Date(Date.now() - index * 60_000).toISOString();
  const deliveries = Array.from('dafbgcelhkji', (letter, index) => ({
    ...{ id: crypto.randomUUID(), ruleId: crypto.randomUUID(), event: 'firing', channel: 'email' },
    ...{ target: `${letter}@example.com`, title: 'Error rate above 2 %', state: 'sent', attempts: 1 },
    ...{ createdAt: createdAt(index), nextTryAt: null, finishedAt: createdAt(index), problem: null },
  }));
  await page.route('**/alert-deliveries*', (route) => route.fulfill({ json: { deliveries } }));
  await openSettings(page);
  const table = page.getByRole('table', { name: 'Deliveries' });
  const recipients = table.locator('tbody [data-label="Recipient"]');
  const heading = (name: string) => table.getByRole('columnheader', { name });
  const toAddresses = (letters: string) => Array.from(letters, (letter) => `${letter}@example.com`);
  await expect(recipients).toHaveText(toAddresses('dafbgcelhk'));
  await expect(heading('Time')).toHaveAttribute('aria-sort', 'descending');
  await heading('Recipient').getByRole('button').press('Enter');
  await expect(recipients).toHaveText(toAddresses('abcdefghij'));
  await page.getByRole('button', { name: 'Show all 12 deliveries' }).click();
  await expect(recipients).toHaveText(toAddresses('abcdefghijkl'));
  await page.getByRole('searchbox', { name: 'Search deliveries' }).fill('RATE c@example');
  await expect(recipients).toHaveText(toAddresses('c'));
  await page.reload();
  await expect(recipients).toHaveText(toAddresses('c'));
  await page.setViewportSize(PHONE);
  await expect(page.getByRole('combobox', { name: 'Sort Deliveries' })).toHaveValue('recipient ascending');
  expect(await findLayoutFaults(page)).toEqual([]);
  await expectAccessibleInBoth(page, 'the cards of deliveries');
});

test('an incident whose requests are no longer stored says so, and has no link to requests @long', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: served.product.url });
  await signUp(page, { ...ada, email: 'expired@example.com' });
  await addProject(page, 'orders');
  const section = await openSettings(page);
  await section.getByRole('button', { name: 'New alert…' }).click();
  await page.getByRole('dialog').getByLabel('Slack webhook').fill(`${served.recipient.url}/good`);
  await page.getByRole('dialog').getByRole('button', { name: 'Create alert' }).click();
  const id = '00000000-0000-7000-8000-000000000001';
  const at = new Date().toISOString();
  const scope = { service: null, environment: null, endpoint: null, severity: null };
  const incident = {
    ...{ id, rule: { id, kind: 'new_error', threshold: null, minutes: null, ...scope }, openedAt: at },
    ...{ closedAt: at, peak: null, insight: null, waitsForQuietHours: false, deliveries: [] },
    error: { id: 'e1', service: 'shop', message: 'no rate', requestIds: ['e1'], hasRequests: false },
  };
  await page.route('**/alert-incidents*', (route) =>
    route.fulfill({ json: { incidents: [incident], nextCursor: null } }),
  );
  await page.reload();
  const row = section.getByRole('list', { name: 'Incidents' }).getByRole('listitem');
  await expect(row.getByText('no rate', { exact: true })).toBeVisible();
  await expect(row.getByText('The requests with this error are no longer stored.')).toBeVisible();
  await expect(row.getByRole('link')).toHaveCount(0);
});
