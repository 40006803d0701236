import type { Locator, Page } from '@playwright/test';
import type { Walker } from '../walker.ts';
import { AFFECTED, RELEASES } from './requests.ts';

/** A question of a user. `byMouse` and `byKeyboard` go from the page where the user begins until the answer is visible. */
export interface Task {
  readonly name: string;
  /** Path of the page where the user begins. Absent: the list of traces. */
  readonly from?: string;
  readonly byMouse: (walker: Walker) => Promise<void>;
  /** Absent if reaching the answer by keyboard only is not measured. */
  readonly byKeyboard?: (walker: Walker) => Promise<void>;
}

/** The tasks of a developer, a lead and a newcomer, on the requests of {@link buildRequests}. */
export const TASKS: readonly Task[] = [
  {
    name: 'the wrong value of a failed request, beside its line',
    byMouse: async (walker) => {
      await pointAt(walker, FAILED);
      await seeWrongValue(walker);
    },
    byKeyboard: async (walker) => {
      await moveToFailed(walker);
      await seeWrongValue(walker);
    },
  },
  {
    name: 'the step that took the time of a slow request',
    byMouse: async (walker) => {
      await pointAt(walker, SLOW);
      await seeSlowStep(walker);
    },
    byKeyboard: async (walker) => {
      await walker.press('j');
      await seeSlowStep(walker);
    },
  },
  {
    name: 'the first value that differs from a successful request',
    byMouse: async (walker) => {
      await pointAt(walker, FAILED);
      await seeDifference(walker);
    },
    byKeyboard: async (walker) => {
      await moveToFailed(walker);
      await seeDifference(walker);
    },
  },
  {
    name: 'what got slow since the release, and for whom',
    byMouse: async (walker) => {
      await walker.click(inMenu(walker.page, 'Analytics'));
      const finding = walker.page.getByText(/^GET \/orders\/:id with tenant:acme is .* slower/);
      await walker.scrollTo(finding.first());
    },
  },
  {
    name: 'who is affected by an error',
    byMouse: async (walker) => {
      await walker.click(inMenu(walker.page, 'Errors'));
      await walker.click(walker.page.getByRole('link', { name: /reading 'rate'/ }).first());
      for (const user of AFFECTED) {
        await walker.see(walker.page.getByRole('link', { name: user, exact: true }).first());
      }
    },
  },
  {
    name: 'all requests of one user',
    byMouse: async (walker) => {
      await open(walker, FAILED);
      await walker.click(dialog(walker.page).getByRole('link', { name: /^user u-9/ }));
      await seeRequestsOfUser(walker);
    },
  },
  {
    name: 'the worst endpoint since the release',
    byMouse: async (walker) => {
      const { page } = walker;
      await walker.click(page.getByRole('button', { name: 'Views', exact: true }));
      await walker.click(page.getByRole('menuitem', { name: 'Slowest endpoints' }));
      await walker.see(page.getByRole('button', { name: `Time: Since ${RELEASES.now}` }));
      const groups = page.getByRole('table', { name: 'Traces by endpoint' });
      await walker.see(groups.getByRole('row').nth(1).getByText('GET /reports/sales'));
    },
  },
  {
    name: 'the failing step of a failed request, for a newcomer',
    from: '/',
    byMouse: async (walker) => {
      const { page } = walker;
      await walker.see(page.getByRole('treeitem', { name: /taxFor/, selected: true }));
      const step = page.getByRole('region', { name: /^Step \d+: taxFor/ });
      await walker.see(step.getByRole('treeitem', { name: /country/ }).first());
    },
  },
  {
    name: 'a masked share link for a colleague',
    byMouse: async (walker) => {
      const { page } = walker;
      await open(walker, FAILED);
      await walker.click(dialog(page).getByRole('button', { name: 'Share' }));
      await walker.click(page.getByRole('button', { name: 'Create link' }));
      await walker.see(page.getByRole('textbox', { name: 'New link' }));
      await walker.click(page.getByRole('button', { name: 'Copy link' }));
    },
  },
  {
    name: 'the slow one of many identical steps',
    byMouse: async (walker) => {
      await pointAt(walker, MANY);
      await seeSlowItem(walker);
    },
    byKeyboard: async (walker) => {
      for (const key of ['j', 'j']) await walker.press(key);
      await seeSlowItem(walker);
    },
  },
];

const FAILED = /POST.*\/checkout.* 500/;
const SLOW = /GET.*\/reports\/sales.*2\.10 s/;
const MANY = /GET.*\/feed/;

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Trace details' });
const preview = (page: Page): Locator => page.getByRole('tooltip');
const inMenu = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

async function open(walker: Walker, row: RegExp): Promise<void> {
  await walker.click(
    walker.page.getByRole('row', { name: row }).first().getByRole('button', { name: 'View' }),
  );
}

/** Rests the pointer on a request of the list, which shows the request's preview. */
async function pointAt(walker: Walker, row: RegExp): Promise<void> {
  await walker.point(walker.page.getByRole('row', { name: row }).first());
}

/** Moves the focus to the newest failed request with the keyboard. */
async function moveToFailed(walker: Walker): Promise<void> {
  await walker.press('e');
  await walker.page.getByText('Showing 6 of 6 traces').waitFor();
  await walker.press('j');
}

async function seeWrongValue(walker: Walker): Promise<void> {
  const step = preview(walker.page).getByRole('region', { name: /^Step \d+: taxFor/ });
  await walker.see(step.getByText('entry.rate').first());
  await walker.see(step.getByText(/^entry\s*undefined$/).first());
  await walker.see(step.getByText(/^country\s*"UK"$/).first());
}

async function seeSlowStep(walker: Walker): Promise<void> {
  const step = preview(walker.page).getByRole('region', { name: /^Step \d+: renderReport/ });
  await walker.see(step.getByText('2.08 s').first());
}

async function seeDifference(walker: Walker): Promise<void> {
  await walker.see(
    preview(walker.page)
      .getByText(/country is "UK" instead of "\w+" in taxFor/)
      .first(),
  );
}

async function seeRequestsOfUser(walker: Walker): Promise<void> {
  await walker.see(walker.page.getByText('Showing 2 of 2 traces'));
  await walker.see(walker.page.getByRole('button', { name: /^Edit filter: user:u-9/ }));
}

async function seeSlowItem(walker: Walker): Promise<void> {
  const item = preview(walker.page).getByRole('region', { name: /^Step \d+: loadItem/ });
  await walker.see(item.getByText('640 ms'));
  await walker.see(item.getByText(/^id 5271$/));
}
