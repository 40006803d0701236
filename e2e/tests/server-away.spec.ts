import { expect } from '@playwright/test';
import { badge, openDashboard, rows } from '../harness/pages/live-list.ts';
import { ada } from '../harness/people/people.ts';
import { test } from '../harness/server/fixtures.ts';
import { plainRequest, sendTraces } from '../harness/traces/traces.ts';

test('the live list reconnects and shows new requests after a server restart @long', async ({
  page,
  product,
}) => {
  await openDashboard(page, ada, 2);
  const startAgain = await product.interrupt();
  await expect(badge(page)).toHaveText(/Reconnecting$/);
  await expect(rows(page)).toHaveCount(2);
  await startAgain();
  await expect(badge(page)).toHaveText(/Live$/, { timeout: 60_000 });
  await sendTraces(page, [plainRequest('/after', new Date())]);
  await expect(rows(page).first()).toContainText('/after');
  await expect(rows(page)).toHaveCount(3);
});
