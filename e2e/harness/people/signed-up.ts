import { expect, type Page } from '@playwright/test';
import { sendTraces } from '../traces/traces.ts';
import type { Account } from './people.ts';

/** Registers users through the API, for tests of pages that need a login. Opens no registration screens. */

/** Registers a user. The page is then signed in, but no page of the dashboard is open. */
export async function signUp(page: Page, account: Account): Promise<void> {
  const answer = await page.request.post('/api/auth/register/solo', { data: account });
  expect(answer.status()).toBe(201);
  const { token }: { token: string } = await answer.json();
  // Opens the server's smallest response. A page can store the session in localStorage only on the server's origin.
  await page.goto('/api/health/live');
  await page.evaluate((value) => localStorage.setItem('auth_token', value), token);
}

/** Creates a project for the user who is signed in on the page. */
export async function addProject(page: Page, name: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.post('/api/projects', { data: { name }, headers });
  expect(answer.status()).toBe(201);
}

/** Registers a user with a project `orders` that contains the given traces. */
export async function signUpWithTraces(
  page: Page,
  account: Account,
  traces: readonly unknown[],
): Promise<void> {
  await signUp(page, account);
  await addProject(page, 'orders');
  await sendTraces(page, traces);
}
