import { type Browser, expect, type Page, test } from '@playwright/test';
import { generateSync } from 'otplib';
import {
  addMember,
  invite,
  type OwnedOrganization,
  signUpOrganization,
} from '../harness/people/organizations.ts';
import { ada, fillLogin, grace, registerOrganization } from '../harness/people/people.ts';
import { signUp } from '../harness/people/signed-up.ts';
import { mailLink } from '../harness/server/outbox.ts';
import { type Product, startServer } from '../harness/server/product.ts';
import { shoot } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startServer();
});
test.afterAll(() => product.stop());

const newPage = async (browser: Browser) => (await browser.newContext({ baseURL: product.url })).newPage();

/** Runs `act` while every request that matches `call` gets a 500. */
async function failing(page: Page, call: string, act: () => Promise<void>): Promise<void> {
  const message = 'Something went wrong.';
  const error = { code: 'internal', message, requestId: 'req-17' };
  await page.route(call, (route) => route.fulfill({ status: 500, json: { error, message } }));
  await act();
  await page.unroute(call);
}

/** Runs `act` while every request that matches `call` stays pending. */
async function waiting(page: Page, call: string, act: () => Promise<void>): Promise<void> {
  await page.route(call, () => new Promise<void>(() => undefined));
  await act();
  await page.unroute(call);
}

test('screenshots show the pages before the login', async ({ browser }) => {
  const page = await newPage(browser);
  await page.goto('/');
  await expect(page.getByRole('tree', { name: 'Local variables' })).toBeVisible();
  await shoot(page, 'landing');
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await shoot(page, 'landing-end');
  await page.goto('/login');
  await shoot(page, 'login');
  await page.goto('/login?from=%2Fusers');
  await fillLogin(page, { email: 'nobody@example.com', password: 'wrong' });
  await expect(page.getByRole('alert')).toHaveText('Invalid credentials');
  await shoot(page, 'login-refused');
  await page.goto('/forgot-password');
  await shoot(page, 'forgot-password');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(/is on its way/)).toBeVisible();
  await shoot(page, 'forgot-password-sent');
  await page.goto('/reset-password?token=unknown');
  await page.getByLabel('New password', { exact: true }).fill('a new password');
  await page.getByLabel('Confirm new password').fill('a new password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('alert')).toHaveText(/invalid or has expired/);
  await shoot(page, 'reset-password-refused');
  await page.goto('/reset-password');
  await shoot(page, 'reset-password-without-token');
  const types = '**/api/auth/registration-types';
  await waiting(page, types, async () => {
    await page.goto('/register');
    await shoot(page, 'register-type-loading');
  });
  await failing(page, types, async () => {
    await page.goto('/register');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await shoot(page, 'register-type-failing');
  });
  await page.goto('/register');
  await page.getByRole('radio', { name: /solo/i }).click();
  await shoot(page, 'register-type');
  await page.goto('/register?type=solo');
  await page.getByRole('button', { name: 'Create account' }).click();
  await shoot(page, 'register-solo-refused');
  await page.goto('/register?type=organization');
  await page.getByLabel('Organization name').fill('Analytical Engines');
  await expect(page.getByText(/is free/)).toBeVisible();
  await shoot(page, 'register-organization');
  await page.goto('/register?token=');
  await shoot(page, 'register-without-token');
  await page.goto('/invite/unknown');
  await expect(page.getByRole('alert')).toHaveText('Invalid or expired invitation');
  await shoot(page, 'invite-invalid');
});

test('screenshots show the page with the users of an organization', async ({ browser }) => {
  const page = await newPage(browser);
  await registerOrganization(page, { ...ada, email: 'free@example.com' }, 'Free Engines');
  await page.goto('/users');
  await expect(page.getByText('No developers yet')).toBeVisible();
  await shoot(page, 'users-free');
  await page.getByRole('button', { name: 'Add User' }).click({ force: true });
  await page.getByRole('dialog').waitFor();
  await shoot(page, 'users-upgrade');

  await page.evaluate(() => localStorage.clear());
  const organization = await signUpOrganization(page, ada, 'Analytical Engines');
  await addMember(page, organization, grace);
  await fillOrganization(page, organization);
  await page.goto('/users');
  await page.getByRole('row', { name: /wilhelmina/ }).waitFor();
  await shoot(page, 'users');
  await page.getByLabel('Search users').fill('nobody');
  await shoot(page, 'users-nobody-found');
  await page.getByLabel('Search users').fill('');
  const choose = async (email: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
    await page.getByRole('dialog').waitFor();
  };
  for (const action of ['Change role', 'Make owner', 'Delete user']) {
    await choose(grace.email, action);
    await shoot(page, `users-${action.toLowerCase().replace(' ', '-')}`);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Actions for invited-1@example.com' }).click();
  await shoot(page, 'users-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add User' }).click();
  await page.getByLabel('Full Name').fill('Mary Somerville');
  await page.getByLabel('Email Address').fill('mary');
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click();
  await shoot(page, 'users-add-refused');
  await page.getByLabel('Email Address').fill('mary@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Add User' }).click();
  await page.getByRole('textbox', { name: 'Invitation link' }).waitFor();
  await shoot(page, 'users-invited');
  await page.keyboard.press('Escape');
  const members = '**/api/organizations/*/members';
  await waiting(page, members, async () => {
    await page.goto('/users');
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    await shoot(page, 'users-loading');
  });
  await failing(page, members, async () => {
    await page.goto('/users');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await shoot(page, 'users-failing');
  });
  await page.goto('/users?tab=audit');
  await page
    .getByRole('row', { name: /invited/ })
    .first()
    .waitFor();
  await shoot(page, 'audit-log');
  await failing(page, '**/api/organizations/*/audit**', async () => {
    await page.goto('/users?tab=audit');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await shoot(page, 'audit-log-failing');
  });

  const link = await invite(page, organization, { name: 'Ina Vited', email: 'ina.vited@example.com' });
  await page.goto(link);
  await page.getByText(/you are logged in as/).waitFor();
  await shoot(page, 'invite-for-somebody-else');
  const stranger = await newPage(browser);
  await stranger.goto(link);
  await expect(stranger.getByRole('button', { name: /Accept/ })).toBeVisible();
  await shoot(stranger, 'invite');
  await stranger.getByRole('button', { name: /Accept/ }).click();
  await expect(stranger).toHaveURL(/register/);
  await shoot(stranger, 'register-invited');
  await stranger.goto('/login');
  await fillLogin(stranger, grace);
  await expect(stranger).toHaveURL(/app/);
  await stranger.goto('/users');
  await shoot(stranger, 'users-not-owner');
  await stranger.goto('/settings');
  await shoot(stranger, 'settings-profile-developer');
  await stranger.getByRole('button', { name: 'Leave organization' }).click();
  await stranger.getByRole('dialog').waitFor();
  await shoot(stranger, 'settings-leave');
});

async function fillOrganization(page: Page, organization: OwnedOrganization): Promise<void> {
  const names = ['Charles Babbage', 'Katherine Johnson', 'İlkay Çelebi', '李 冶'];
  for (const [place, name] of names.entries()) {
    await addMember(page, organization, {
      name,
      email: `member-${place}@example.com`,
      password: 'first compiler',
    });
  }
  const email = `wilhelmina.featherstonehaugh-cholmondeley.${'x'.repeat(20)}@a-rather-long-domain.example.com`;
  await invite(page, organization, { name: 'Wilhelmina Featherstonehaugh-Cholmondeley of Somewhere', email });
  await invite(page, organization, { name: 'Invited One', email: 'invited-1@example.com' });
}

test('screenshots show the settings of a user and of an organization', async ({ browser }) => {
  const page = await newPage(browser);
  const person = { ...ada, email: 'settings@example.com' };
  await signUp(page, person);
  for (const [system, browserName] of [
    ['Windows NT 10.0; Win64; x64', 'Chrome/139.0.0.0 Safari/537.36'],
    ['iPhone; CPU iPhone OS 18_5 like Mac OS X', 'Version/18.5 Mobile/15E148 Safari/604.1'],
  ]) {
    const headers = {
      'user-agent': `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browserName}`,
    };
    await page.request.post('/api/auth/login', { data: person, headers });
  }
  for (const tab of ['profile', 'security', '2fa', 'account']) {
    await page.goto(`/settings?tab=${tab}`);
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await shoot(page, `settings-${tab}`);
  }
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByLabel('Type DELETE to confirm').fill('DELET');
  await shoot(page, 'settings-account-dialog');
  await failing(page, '**/api/auth/sessions', async () => {
    await page.goto('/settings?tab=security');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.getByRole('button', { name: 'Update password' }).click();
    await shoot(page, 'settings-security-failing');
  });
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByLabel('Organization name').fill('Difference Engines');
  await expect(page.getByText(/is free/)).toBeVisible();
  await shoot(page, 'settings-create-organization');
  await page.keyboard.press('Escape');
  await page.goto('/settings?tab=2fa');
  await page.getByRole('button', { name: 'Enable 2FA' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await shoot(page, 'settings-2fa-setup');
  const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  await page.getByLabel('Authenticator code').scrollIntoViewIfNeeded();
  await shoot(page, 'settings-2fa-setup-end');
  await page.getByLabel('Authenticator code').fill(generateSync({ secret }));
  await page.getByRole('button', { name: 'Verify and enable' }).click();
  await page.getByText('2FA enabled successfully!').waitFor();
  await shoot(page, 'settings-2fa-enabled');
  await page.getByRole('button', { name: 'Regenerate backup codes' }).click();
  await page.getByRole('list', { name: 'Backup codes' }).waitFor();
  await shoot(page, 'settings-2fa-codes');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Disable 2FA' }).click();
  await page.getByPlaceholder('Or enter a backup code').fill('no code');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable 2FA' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Invalid code or backup code');
  await shoot(page, 'settings-2fa-disable');

  const other = await newPage(browser);
  await other.goto('/login');
  await fillLogin(other, person);
  await other.getByLabel('Authenticator code').fill('000000');
  await other.getByRole('button', { name: 'Verify' }).click();
  await expect(other.getByRole('alert')).toHaveText('Invalid 2FA code');
  await shoot(other, 'login-code');
  await other.getByRole('button', { name: 'Use a backup code' }).click();
  await shoot(other, 'login-backup-code');
  await other.goto('/forgot-password');
  await other.getByLabel('Email').fill(person.email);
  await other.getByRole('button', { name: 'Send the link' }).click();
  const link = await mailLink(other, person.email, '/reset-password');
  await other.goto(link);
  await shoot(other, 'reset-password');
  await other.getByLabel('New password', { exact: true }).fill('a new password');
  await other.getByLabel('Confirm new password').fill('a new password');
  await other.getByRole('button', { name: 'Set password' }).click();
  await other.getByRole('link', { name: 'Login' }).waitFor();
  await shoot(other, 'reset-password-done');

  await other.goto('/dev/outbox');
  const messages = other.getByRole('link', { name: 'As HTML' });
  const addresses = await messages.evaluateAll((links) =>
    links.map((link) => link.getAttribute('href') ?? ''),
  );
  for (const [place, address] of addresses.slice(0, 12).entries()) {
    await other.goto(address);
    await shoot(other, `mail-${place}`);
  }
});
