import type { Page } from '@playwright/test';
import type { DialogRow } from './dialog-row.ts';

let saved = 0;

/** Saves a view of the only project of the signed-in user. Returns the view's name. */
async function saveView(page: Page): Promise<string> {
  saved += 1;
  const name = `view ${saved}`;
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get('/api/projects', { headers });
  const { projects }: { projects: { id: string }[] } = await answer.json();
  const data = { name, projectId: projects[0]?.id, page: 'dashboard', params: { status: 'error' } };
  await page.request.post('/api/views', { headers, data });
  return name;
}

async function openMenu(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
}

async function openManaged(page: Page): Promise<string> {
  const name = await saveView(page);
  await openMenu(page);
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  return name;
}

const openStep = (action: string) => async (page: Page) => {
  const name = await openManaged(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `${action}: ${name}`, exact: true })
    .click();
};

const FILE = 'features/saved-views/dialog/views-dialog.tsx';

/** Dialogs of saved views. */
export const VIEW_DIALOGS: readonly DialogRow[] = [
  {
    name: 'the saved views of a list',
    owner: 'solo',
    file: 'features/saved-views/views-button.tsx',
    role: 'menu',
    async open(page) {
      await saveView(page);
      await openMenu(page);
    },
  },
  {
    name: 'a new saved view',
    confirm: {
      button: 'Save view',
      failure: 'The view could not be saved.',
      fill: (page) => page.getByRole('dialog').getByLabel('Name').fill(`new ${Date.now()}`),
    },
    owner: 'solo',
    file: FILE,
    async open(page) {
      await openMenu(page);
      await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    },
  },
  {
    name: 'all saved views',
    owner: 'solo',
    file: FILE,
    async open(page) {
      await openManaged(page);
    },
  },
  {
    name: 'a new name of a saved view',
    confirm: {
      button: 'Save',
      failure: 'The view could not be renamed.',
      fill: (page) => page.getByRole('dialog').getByLabel('Name').fill(`renamed ${Date.now()}`),
    },
    owner: 'solo',
    file: FILE,
    open: openStep('Rename'),
  },
  {
    name: 'other filters of a saved view',
    confirm: { button: 'Replace filters', failure: 'The filters of the view could not be replaced.' },
    owner: 'solo',
    file: FILE,
    open: openStep('Replace filters'),
  },
  {
    name: 'the deletion of a saved view',
    confirm: { button: 'Delete view', failure: 'The view could not be deleted.' },
    owner: 'solo',
    file: FILE,
    open: openStep('Delete'),
  },
];
