import { expect, type Page } from '@playwright/test';
import { openOwnTrace } from '../traces/own-trace.ts';
import type { Confirm, DialogOwner, DialogPeople, DialogRow } from './dialog-row.ts';
import { timeButton } from './time-range.ts';
import { VIEW_DIALOGS } from './view-dialogs.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const inDialog = (page: Page) => page.getByRole('dialog');
const item = (page: Page, name: string) => page.getByRole('menuitem', { name });

async function fillInvitation(page: Page): Promise<void> {
  await inDialog(page).getByLabel('Full Name').fill('New Person');
  await inDialog(page).getByLabel('Email Address').fill(`new-${Date.now()}@example.com`);
}

async function openProjectMenu(page: Page): Promise<void> {
  await page.goto('/projects');
  await button(page, /^More actions for/).click();
}

const openProject = (entry: string) => async (page: Page) => {
  await openProjectMenu(page);
  await item(page, entry).click();
};

const openPerson =
  (entry: string, of: keyof DialogPeople = 'member') =>
  async (page: Page, people: DialogPeople) => {
    await page.goto('/users');
    await button(page, `Actions for ${people[of]}`).click();
    await item(page, entry).click();
  };

const openSettings = (tab: string, name: string) => async (page: Page) => {
  await page.goto(`/settings?tab=${tab}`);
  await button(page, name).click();
};

/**
 * Opens the dialog in which users confirm their identity. The server asks for the confirmation only if the login is older than a quarter of
 * an hour. Instead of waiting for so long, this function replaces the server's response.
 */
async function openConfirmation(page: Page): Promise<void> {
  await page.goto('/settings?tab=2fa');
  await page.route('**/api/auth/2fa/setup', (route) =>
    route.fulfill({
      status: 403,
      json: {
        error: {
          code: 'reauthentication_required',
          message: 'Confirm your identity.',
          requestId: 'x',
          details: { confirmWith: 'password' },
        },
        message: 'Confirm your identity.',
      },
    }),
  );
  await button(page, 'Enable 2FA').click();
}

async function openLimit(page: Page): Promise<void> {
  await page.goto('/projects');
  await page.getByLabel('Project name').fill('one more');
  await button(page, 'Create Project').click();
}

/** The dialogs, menus and popovers of the dashboard, on a server without the demo. Leaves out the dialogs that other tests cover. */
export const DIALOGS: readonly DialogRow[] = [
  {
    name: 'the API key, with what regenerates it',
    confirm: { button: 'Regenerate key', failure: 'The API key could not be regenerated.' },
    owner: 'solo',
    file: 'features/projects/dialogs/project-dialog.tsx',
    async open(page) {
      await page.goto('/projects');
      await button(page, 'Manage API Key').click();
      await button(page, 'Regenerate').click();
    },
  },
  {
    name: 'a new name of a project',
    confirm: {
      button: 'Save',
      fill: (page) => inDialog(page).getByLabel('Name').fill('renamed'),
      failure: 'The project could not be renamed.',
    },
    owner: 'solo',
    file: 'features/projects/dialogs/project-dialog.tsx',
    open: openProject('Rename'),
  },
  {
    name: 'the deletion of a project',
    confirm: {
      button: 'Delete project',
      failure: 'The project could not be deleted.',
      isLast: true,
      fill: (page) =>
        inDialog(page)
          .getByLabel(/to confirm/)
          .fill('orders'),
    },
    owner: 'solo',
    file: 'features/projects/dialogs/project-dialog.tsx',
    open: openProject('Delete'),
  },
  {
    name: 'what a project card offers',
    owner: 'solo',
    file: 'features/projects/cards/project-card.tsx',
    role: 'menu',
    open: openProjectMenu,
  },
  {
    name: 'making a project public',
    confirm: {
      button: 'Make public',
      failure: 'The project could not be made public.',
      fill: (page) => inDialog(page).getByRole('checkbox').check(),
    },
    owner: 'solo',
    file: 'features/project-settings/public-access-section.tsx',
    async open(page) {
      await openProject('Settings')(page);
      await button(page, 'Make public…').click();
    },
  },
  {
    name: 'a new alert',
    confirm: {
      button: 'Create alert',
      failure: 'The alert could not be saved.',
      fill: (page) =>
        inDialog(page).getByLabel('Webhook', { exact: true }).fill('https://hooks.example/alerts'),
    },
    owner: 'solo',
    file: 'features/alerts/rule-dialog.tsx',
    async open(page) {
      await openProject('Settings')(page);
      await button(page, 'New alert…').click();
    },
  },
  {
    name: 'the plan limit of projects',
    owner: 'solo',
    file: 'features/billing/dialogs/limit-dialog.tsx',
    open: openLimit,
  },
  {
    name: 'an upgrade',
    confirm: { button: 'Upgrade Now', failure: 'Failed to upgrade:' },
    owner: 'solo',
    file: 'features/billing/dialogs/upgrade-dialog.tsx',
    async open(page) {
      await page.goto('/billing');
      await button(page, 'Upgrade to Solo Developer').click();
      await expect(page.getByRole('dialog')).toContainText('Due now');
    },
  },
  {
    name: 'the end of a subscription',
    confirm: { button: 'Cancel Subscription', failure: 'Failed to cancel subscription:' },
    owner: 'owner',
    file: 'features/billing/dialogs/cancel-dialog.tsx',
    async open(page) {
      await page.goto('/billing');
      await button(page, 'Cancel Subscription').click();
    },
  },
  {
    name: 'the confirmation of who one is',
    owner: 'solo',
    file: 'features/auth/identity/confirm-dialog.tsx',
    open: openConfirmation,
  },
  {
    name: 'setting up 2FA',
    owner: 'solo',
    file: 'features/settings/two-factor/two-factor-setup.tsx',
    open: openSettings('2fa', 'Enable 2FA'),
  },
  {
    name: 'the end of 2FA',
    owner: 'owner',
    file: 'features/settings/two-factor/two-factor-disable.tsx',
    open: openSettings('2fa', 'Disable 2FA'),
  },
  {
    name: 'new backup codes',
    owner: 'owner',
    file: 'features/settings/two-factor/two-factor-tab.tsx',
    open: openSettings('2fa', 'Regenerate backup codes'),
  },
  {
    name: 'the deletion of the account',
    confirm: {
      button: 'Delete Account',
      failure: '',
      isLast: true,
      fill: (page) =>
        inDialog(page)
          .getByLabel(/DELETE/)
          .fill('DELETE'),
    },
    owner: 'solo',
    file: 'features/settings/account-tab.tsx',
    open: openSettings('account', 'Delete Account'),
  },
  {
    name: 'a new organization',
    confirm: {
      button: 'Create',
      failure: 'The organization could not be saved.',
      isLast: true,
      fill: (page) => inDialog(page).getByLabel('Organization name').fill('Engines of Ada'),
    },
    owner: 'solo',
    file: 'features/settings/organization-form.tsx',
    open: openSettings('profile', 'Create organization'),
  },
  {
    name: 'a new user',
    confirm: { button: 'Add User', failure: 'Failed to create user:', fill: fillInvitation },
    owner: 'owner',
    file: 'features/users/add-user.tsx',
    async open(page) {
      await page.goto('/users');
      await button(page, 'Add User').click();
    },
  },
  {
    name: 'a new role',
    confirm: {
      button: 'Change role',
      failure: 'The role could not be changed.',
      fill: (page) =>
        inDialog(page)
          .getByLabel(/^Admin/)
          .check(),
    },
    owner: 'owner',
    file: 'features/users/person-dialog.tsx',
    open: openPerson('Change role'),
  },
  {
    name: 'a new owner',
    confirm: { button: 'Transfer', failure: 'The ownership could not be transferred.', isLast: true },
    owner: 'owner',
    file: 'features/users/person-dialog.tsx',
    open: openPerson('Make owner'),
  },
  {
    name: 'the deletion of a user',
    confirm: { button: 'Delete User', failure: 'Failed to delete user:', isLast: true },
    owner: 'owner',
    file: 'features/users/person-dialog.tsx',
    open: openPerson('Delete user'),
  },
  {
    name: 'a second invitation',
    confirm: { button: 'Send again', failure: 'The invitation could not be sent again.' },
    owner: 'owner',
    file: 'features/users/person-dialog.tsx',
    open: openPerson('Send again', 'invited'),
  },
  {
    name: 'the end of an invitation',
    confirm: { button: 'Revoke invitation', failure: 'The invitation could not be revoked.', isLast: true },
    owner: 'owner',
    file: 'features/users/person-dialog.tsx',
    open: openPerson('Revoke invitation', 'invited'),
  },
  {
    name: 'what a row of users offers',
    owner: 'owner',
    file: 'features/users/people-table.tsx',
    role: 'menu',
    async open(page, { member }) {
      await page.goto('/users');
      await button(page, `Actions for ${member}`).click();
    },
  },
  {
    name: 'a trace',
    owner: 'solo',
    file: 'features/traces/page/trace-frame.tsx',
    async open(page) {
      await page.goto('/dashboard');
      await page
        .getByRole('row', { name: /\/orders\/17/ })
        .getByRole('button', { name: 'View' })
        .click();
      await expect(page.getByRole('dialog').getByRole('treeitem').first()).toBeVisible();
    },
  },
  {
    name: 'a trace as JSON',
    owner: 'solo',
    file: 'features/traces/page/trace-frame.tsx',
    async open(page) {
      await page.goto('/raw-traces');
      await page
        .getByRole('row', { name: /\/orders\/17/ })
        .getByRole('button', { name: 'View Raw' })
        .click();
      await expect(page.getByRole('dialog').getByRole('treeitem').first()).toBeVisible();
    },
  },
  {
    name: "the filters of a list's row",
    owner: 'solo',
    file: 'features/trace-list/query-bar/row-menu.tsx',
    role: 'menu',
    async open(page) {
      await page.goto('/dashboard');
      await page.locator('[data-row]').first().click({ button: 'right' });
    },
  },
  {
    name: 'what is copied of a trace',
    owner: 'solo',
    file: 'features/traces/copy/copy-menu.tsx',
    role: 'menu',
    async open(page) {
      await openOwnTrace(page);
      await button(page, /^Copy$/).click();
    },
  },
  {
    name: 'what is saved of a flow graph',
    owner: 'solo',
    file: 'visuals/flow/picture/save-menu.tsx',
    role: 'menu',
    async open(page) {
      await openOwnTrace(page, '?view=flow');
      await button(page, /^Save/).click();
    },
  },
  ...VIEW_DIALOGS,
  {
    name: 'the settings of the list',
    owner: 'solo',
    file: 'ui/layout/settings-popover.tsx',
    async open(page) {
      await page.goto('/dashboard');
      await button(page, 'Columns, rows and times').click();
    },
  },
  {
    name: 'the choice of a time range',
    owner: 'solo',
    file: 'ui/layout/settings-popover.tsx',
    async open(page) {
      await page.goto('/dashboard');
      await timeButton(page).click();
    },
  },
  {
    name: 'the palette',
    owner: 'solo',
    file: 'features/palette/palette.tsx',
    async open(page) {
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
    },
  },
  {
    name: 'the keys',
    owner: 'solo',
    file: 'features/palette/keys-help.tsx',
    async open(page) {
      await page.goto('/dashboard');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('?');
    },
  },
];

/** Returns the owner's dialogs that change something when the user confirms them. */
export function listConfirmed(owner: DialogOwner): readonly (DialogRow & { readonly confirm: Confirm })[] {
  return DIALOGS.filter((row) => row.owner === owner).filter(
    (row): row is DialogRow & { readonly confirm: Confirm } => row.confirm !== undefined,
  );
}
