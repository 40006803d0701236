import type { Locator, Page } from '@playwright/test';
import { type OwnedOrganization, signUpOrganization } from '../people/organizations.ts';
import type { Account } from '../people/people.ts';
import { addProject } from '../people/signed-up.ts';
import { failedOrder, plainRequest, sendTraces } from '../traces/traces.ts';

const MINUTE_MS = 60_000;

/** The tabs of the analytics page: id in the URL, name, and the text that is shown if there is no data. */
export const TABS = [
  { id: 'overview', name: 'Overview', empty: 'No traces in this range' },
  { id: 'performance', name: 'Performance', empty: 'No performance data in this range' },
  { id: 'errors', name: 'Errors', empty: 'No errors in this range' },
  { id: 'flows', name: 'Flow Analysis', empty: 'No flow data in this range' },
  { id: 'system', name: 'System Metrics', empty: 'No system metrics in this range' },
  { id: 'users', name: 'User Analytics', empty: 'No user activity in this range' },
  { id: 'business', name: 'Business Intelligence', empty: 'No business data in this range' },
] as const;

/** Builds twelve successful requests of two known users to six endpoints, and three failed orders. All are within the last minutes. */
export function requests(): readonly unknown[] {
  const at = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
  const good = Array.from({ length: 12 }, (_, index) => ({
    ...plainRequest(`/api/page${index % 6}`, at(1 + (index % 3)), { 'cf-ipcountry': 'DE' }),
    performance: { memoryUsage: { heapUsed: 50_000_000 }, cpuUsage: 3.2, eventLoopDelay: 0.4 },
    user: { id: `user-${index % 2}` },
  }));
  return [...good, failedOrder(at(1)), failedOrder(at(2)), failedOrder(at(3))];
}

/** Registers the owner of an organization with a project that contains the given traces. */
export async function signUpWithFigures(
  page: Page,
  owner: Account,
  organization: string,
  traces: readonly unknown[],
): Promise<OwnedOrganization> {
  const owned = await signUpOrganization(page, owner, organization);
  await addProject(page, 'orders');
  if (traces.length > 0) await sendTraces(page, traces);
  return owned;
}

export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
export const chart = (page: Page, label: string) => page.getByRole('figure', { name: label, exact: true });

/** Locates the value of a tile: the first text below the label. The change and the sparkline come after the value. */
export const figure = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition')
    .first();
export const table = (page: Page, label: string) => page.getByRole('table', { name: label, exact: true });

/** Presses the button. Returns the file that the browser saves. */
export async function savedBy(page: Page, button: Locator) {
  const saving = page.waitForEvent('download');
  await button.click();
  return saving;
}
