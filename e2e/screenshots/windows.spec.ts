import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, expect, type Page, type Route, test } from '@playwright/test';
import { findControlFaults } from '../harness/browser/control-faults.ts';
import { findLayoutFaults, WINDOWS } from '../harness/browser/layout.ts';
import { ada, fillLogin, register } from '../harness/people/people.ts';
import { type Product, startWithDemo } from '../harness/server/product.ts';
import { FOLDER } from './shoot.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startWithDemo();
  await mkdir(FOLDER, { recursive: true });
  await rm(FAULTS, { force: true });
});
test.afterAll(() => product.stop());

/** File with one line per layout fault: the screenshot's name and the fault. */
const FAULTS = join(FOLDER, 'windows-faults.txt');

const SIGNED_OUT_PAGES = {
  landing: '/',
  login: '/login',
  register: '/register?type=organization',
  forgot: '/forgot-password',
  invite: '/invite',
  public: '/public',
  missing: '/nowhere',
} as const;

const PAGES = {
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
} as const;

/** Pages whose look depends on data. Screenshots show them without data, while loading, and after a failure. */
const STATE_PAGES = [
  'dashboard',
  'grouped',
  'raw',
  'projects',
  'errors',
  'overview',
  'people',
  'billing',
] as const;

const VIEWS = ['timeline', 'flow', 'files', 'request', 'response'] as const;

/** True for a window at 200 % zoom, which has half the width and height in pixels, each pixel twice as large. */
const isZoomed = ({ width, height }: { readonly width: number; readonly height: number }) =>
  width === 720 && height === 450;

/** Two pages with the same session: one at normal zoom, one in a window at 200 %. */
interface Windows {
  readonly plain: Page;
  readonly zoomed: Page;
}

async function openWindows(browser: Browser, from?: BrowserContext): Promise<Windows> {
  const options = {
    baseURL: product.url,
    ...(from === undefined ? {} : { storageState: await from.storageState() }),
  };
  const plain = await browser.newContext(options);
  const zoomed = await browser.newContext({
    ...options,
    deviceScaleFactor: 2,
    viewport: { width: 720, height: 450 },
  });
  return { plain: await plain.newPage(), zoomed: await zoomed.newPage() };
}

const settle = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 120))),
      ),
  );

type Ready = (page: Page) => Promise<unknown>;

const isLoaded: Ready = async (page) => {
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
};

/** The insights are below the first screen of the overview. */
const showInsights: Ready = async (page) => {
  await isLoaded(page);
  await page.getByRole('region', { name: 'Insights' }).evaluate((insights) => insights.scrollIntoView());
};

/** Takes screenshots of a page in both themes at each size, and records the layout faults in each. */
async function shootAll(
  { plain, zoomed }: Windows,
  name: string,
  path: string,
  ready: Ready = isLoaded,
  sizes: readonly (typeof WINDOWS)[number][] = WINDOWS,
): Promise<void> {
  for (const page of [plain, zoomed]) {
    const shown = sizes.filter((size) => isZoomed(size) === (page === zoomed));
    if (shown.length === 0) continue;
    await page.goto(path);
    await ready(page);
    for (const size of shown) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await settle(page);
        const picture = `windows-${name}-${size.width}-${colorScheme}`;
        await page.screenshot({ path: join(FOLDER, `${picture}.png`), animations: 'disabled' });
      }
      const faults = [...(await findLayoutFaults(page)), ...(await findControlFaults(page))];
      for (const fault of faults) await appendFile(FAULTS, `${name} ${size.width}: ${fault}\n`);
    }
  }
}

async function login(browser: Browser): Promise<Windows> {
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  await page.goto('/login');
  await fillLogin(page, { email: 'owner@demo.example', password: 'throughline-demo' });
  await expect(page).toHaveURL(/\/(app|dashboard)/);
  const windows = await openWindows(browser, context);
  await context.close();
  return windows;
}

async function findFailed(page: Page): Promise<string> {
  await page.goto('/dashboard?status=error');
  const failed = page
    .getByRole('table', { name: 'Recent traces' })
    .getByRole('row', { name: /POST \/checkout.* 500/ })
    .first();
  await expect(failed).toBeVisible({ timeout: 120_000 });
  return (await failed.getAttribute('data-row')) ?? '';
}

test('screenshots show the pages without login', async ({ browser }) => {
  const windows = await openWindows(browser);
  for (const [name, path] of Object.entries(SIGNED_OUT_PAGES)) await shootAll(windows, name, path);
});

test('screenshots show every page of the demo workspace', async ({ browser }) => {
  test.setTimeout(1_800_000);
  const windows = await login(browser);
  const id = await findFailed(windows.plain);
  for (const [name, path] of Object.entries(PAGES)) await shootAll(windows, name, path);
  await shootAll(windows, 'insights', PAGES.overview, showInsights);
  for (const view of VIEWS) await shootAll(windows, `trace-${view}`, `/traces/${id}?view=${view}`);
  await shootAll(windows, 'dialog-trace', `/dashboard?status=error&trace=${id}`);
  const project = await windows.plain.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('auth_token')}` };
    const answer: { projects: { id: string }[] } = await (await fetch('/api/projects', { headers })).json();
    return answer.projects[0]?.id ?? '';
  });
  await shootAll(windows, 'project-settings', `/projects/${project}/settings`);
});

const STATE_SIZES = WINDOWS.filter(({ width }) => [360, 720, 1440].includes(width));

test('screenshots show pages while they load, and after a failure', async ({ browser }) => {
  test.setTimeout(1_800_000);
  const windows = await login(browser);
  const isData = (url: URL) => url.pathname.startsWith('/api/') && url.pathname !== '/api/auth/session';
  const states: readonly [string, (route: Route) => unknown, Ready][] = [
    ['loading', () => undefined, (page) => expect(page.getByRole('heading').first()).toBeVisible()],
    ['failing', (route) => route.abort('connectionrefused'), isLoaded],
  ];
  for (const [state, answer, ready] of states) {
    for (const page of [windows.plain, windows.zoomed]) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route(isData, (route) => void answer(route));
    }
    for (const name of STATE_PAGES)
      await shootAll(windows, `${name}-${state}`, PAGES[name], ready, STATE_SIZES);
  }
});

test('screenshots show pages without data', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: product.url });
  const page = await context.newPage();
  await register(page, ada);
  const windows = await openWindows(browser, context);
  for (const name of STATE_PAGES)
    await shootAll(windows, `${name}-empty`, PAGES[name], isLoaded, STATE_SIZES);
});
