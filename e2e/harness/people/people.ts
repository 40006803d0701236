import { expect, type Page } from '@playwright/test';

export interface Account {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export const ada: Account = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' };
export const grace: Account = {
  name: 'Grace Hopper',
  email: 'grace@example.com',
  password: 'first compiler',
};

/** Registers a user on the screens. The page is then signed in. */
export async function register(page: Page, account: Account): Promise<void> {
  await page.goto('/register');
  await page.getByRole('radio', { name: /solo/i }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name').fill(account.name);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByLabel('Confirm password').fill(account.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/app/);
}

/** Logs in on the open login screen. */
export async function fillLogin(page: Page, account: Pick<Account, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
}

export async function createProject(page: Page, name: string): Promise<void> {
  await page.goto('/projects');
  await page.getByLabel('Project name').fill(name);
  await page.getByRole('button', { name: 'Create Project' }).click();
  await expect(page.getByRole('article', { name })).toBeVisible();
}

/** Returns the text that the page copied last. */
export async function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Registers an organization on the screens, with the account as its owner. */
export async function registerOrganization(page: Page, owner: Account, name: string): Promise<void> {
  await page.goto('/register');
  await page.getByRole('radio', { name: /organization/i }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name', { exact: true }).fill(owner.name);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Organization name').fill(name);
  await expect(page.getByText(/is free/)).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByLabel('Confirm password').fill(owner.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/app/);
}
