import { expect, type Page } from '@playwright/test';
import { DATA_PAGES, type DataPage } from '../harness/pages/data-pages.ts';

/** A page to take screenshots of. */
export interface WindowPage {
  /** Part of the screenshot's name. */
  readonly name: string;
  readonly address: DataPage['address'];
  /** Shows the part of the loaded page that the screenshot is about. */
  readonly show?: (page: Page) => Promise<unknown>;
}

const named = (addresses: Readonly<Record<string, string>>): readonly WindowPage[] =>
  Object.entries(addresses).map(([name, address]) => ({ name, address }));

/** Pages that need no login. */
export const SIGNED_OUT_PAGES = named({
  landing: '/',
  login: '/login',
  'register-type': '/register',
  'register-solo': '/register?type=solo',
  register: '/register?type=organization',
  forgot: '/forgot-password',
  reset: '/reset-password?token=abc',
  verify: '/verify-email?token=abc',
  unsubscribe: '/unsubscribe/abc',
  invite: '/invite',
  'invite-unknown': '/invite/no-such-token',
  public: '/public',
  missing: '/nowhere',
});

const findAddress = (path: string): DataPage['address'] =>
  DATA_PAGES.find((each) => each.path === path)?.address ?? path;

/** Returns a function that finds the demo's newest failed checkout and builds an address with its id. */
const failedCheckout =
  (before: string, after: string) =>
  async (page: Page): Promise<string> => {
    await page.goto('/dashboard?status=error');
    const failed = page
      .getByRole('table', { name: 'Recent traces' })
      .getByRole('row', { name: /POST \/checkout.* 500/ })
      .first();
    await expect(failed).toBeVisible({ timeout: 120_000 });
    return `${before}${await failed.getAttribute('data-row')}${after}`;
  };

/** Opens the list of errors, and returns the address of the demo's error that affects users. */
async function findError(page: Page): Promise<string> {
  await page.goto('/errors?last=30d');
  const link = page
    .getByRole('table', { name: 'Errors' })
    .getByRole('link', { name: /Cannot read/ })
    .first();
  await expect(link).toBeVisible({ timeout: 120_000 });
  return (await link.getAttribute('href')) ?? '/errors';
}

const VIEWS = ['timeline', 'flow', 'flame', 'sequence', 'files', 'request', 'response', 'performance'];

const traceViews = VIEWS.map((view) => ({
  name: `trace-${view}`,
  address: failedCheckout('/traces/', `?view=${view}`),
}));

/** Pages of a user with a project. Screenshots show them with data, without data, while loading and after a failure. */
export const SIGNED_IN_PAGES: readonly WindowPage[] = [
  ...named({
    dashboard: '/dashboard',
    grouped: '/dashboard?groupBy=endpoint',
    filtered: '/dashboard?status=error&method=POST&differences=shown',
    raw: '/raw-traces',
    projects: '/projects',
    errors: '/errors',
    overview: '/analytics?tab=overview&compare=previous',
    performance: '/analytics?tab=performance',
    'analytics-errors': '/analytics?tab=errors',
    flows: '/analytics?tab=flows',
    system: '/analytics?tab=system',
    users: '/analytics?tab=users',
    business: '/analytics?tab=business',
    people: '/users',
    audit: '/users?tab=audit',
    billing: '/billing',
    profile: '/settings?tab=profile',
    security: '/settings?tab=security',
    'two-factor': '/settings?tab=2fa',
    account: '/settings?tab=account',
  }),
  { name: 'error', address: findError },
  { name: 'project-settings', address: findAddress('/projects/$id/settings') },
];

/** Pages that exist only with a trace. Screenshots show them with data, while loading and after a failure. */
export const TRACE_PAGES: readonly WindowPage[] = [
  ...traceViews,
  {
    name: 'dialog-trace',
    address: failedCheckout('/dashboard?status=error&trace=', ''),
    show: (page) => page.getByRole('dialog').getByRole('tree').first().waitFor(),
  },
  { name: 'shared', address: findAddress('/shared/$token') },
  { name: 'public-project', address: findAddress('/public/$id') },
  {
    name: 'insights',
    address: '/analytics?tab=overview&compare=previous',
    show: (page) =>
      page.getByRole('region', { name: 'Insights' }).evaluate((insights) => insights.scrollIntoView()),
  },
];
