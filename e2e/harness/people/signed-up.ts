import { expect, type Page } from '@playwright/test';
import { sendTraces } from '../traces/traces.ts';
import type { Account } from './people.ts';

/** The way in without its screens, for tests of what comes behind them: no page is drawn for it. */

/** Registers, and is signed in then; no page of the dashboard is open yet. */
export async function signUp(page: Page, account: Account): Promise<void> {
  const answer = await page.request.post('/api/auth/register/solo', { data: account });
  expect(answer.status()).toBe(201);
  const { token }: { token: string } = await answer.json();
  // The smallest answer of the address whose storage holds the session.
  await page.goto('/api/health/live');
  await page.evaluate((kept) => localStorage.setItem('auth_token', kept), token);
}

/** Makes a project of who is signed in on the page. */
export async function addProject(page: Page, name: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.post('/api/projects', { data: { name }, headers });
  expect(answer.status()).toBe(201);
}

/** Registers with a project `orders` that has these traces. */
export async function signUpWithTraces(
  page: Page,
  account: Account,
  traces: readonly unknown[],
): Promise<void> {
  await signUp(page, account);
  await addProject(page, 'orders');
  await sendTraces(page, traces);
}
