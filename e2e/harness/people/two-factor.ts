import { expect, type Page } from '@playwright/test';
import { generateSync } from 'otplib';

/** Turns two-factor authentication on for the signed-in user, through the API. Returns the backup codes. */
export async function turnOnTwoFactor(page: Page): Promise<readonly string[]> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.post('/api/auth/2fa/setup', { headers });
  const { secret, backupCodes }: { secret: string; backupCodes: string[] } = await answer.json();
  const data = { code: generateSync({ secret }) };
  expect((await page.request.post('/api/auth/2fa/verify', { headers, data })).status()).toBe(200);
  return backupCodes;
}
