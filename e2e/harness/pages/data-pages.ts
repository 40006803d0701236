import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../server/places.ts';

/** A URL whose page shows data from the server, and the router's path of the page. */
export interface DataPage {
  readonly path: string;
  readonly address: string | ((page: Page) => Promise<string>);
}

async function readFirst(page: Page, call: string, list: string, id: string): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const answer = await page.request.get(call, { headers: { authorization: `Bearer ${token}` } });
  const found: Record<string, Record<string, string>[]> = await answer.json();
  return found[list]?.[0]?.[id] ?? '';
}

const ofProject = (before: string, after: string) => async (page: Page) =>
  `${before}${await readFirst(page, '/api/projects', 'projects', 'id')}${after}`;
const ofTrace = async (page: Page) =>
  `/traces/${await readFirst(page, '/api/traces?limit=1', 'traces', '_id')}`;

/** Shares the newest trace. Returns the URL that the share link opens. */
async function shareTrace(page: Page): Promise<string> {
  const id = await readFirst(page, '/api/traces?limit=1', 'traces', '_id');
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.post(`/api/traces/${id}/share-links`, { headers, data: {} });
  const { url }: { url: string } = await answer.json();
  return new URL(url).pathname;
}

/** Pages to test as the owner of an organization that has a public project with a trace. */
export const DATA_PAGES: readonly DataPage[] = [
  ...['/app', '/dashboard', '/errors', '/raw-traces', '/projects', '/users', '/billing', '/public'].map(
    (path) => ({
      path,
      address: path,
    }),
  ),
  { path: '/dashboard', address: '/dashboard?groupBy=endpoint' },
  { path: '/users', address: '/users?tab=audit' },
  ...['overview', 'performance', 'errors', 'flows', 'system', 'users', 'business'].map((tab) => ({
    path: '/analytics',
    address: `/analytics?tab=${tab}`,
  })),
  // Leaves out the account tab of the settings, which shows only data of the session.
  ...['profile', 'security', '2fa'].map((tab) => ({ path: '/settings', address: `/settings?tab=${tab}` })),
  { path: '/traces/$id', address: ofTrace },
  { path: '/shared/$token', address: shareTrace },
  { path: '/projects/$id/settings', address: ofProject('/projects/', '/settings') },
  { path: '/public/$id', address: ofProject('/public/', '') },
  { path: '/invite/$token', address: '/invite/no-such-token' },
];

/** Pages that show no data of the server until the user submits a form. Other tests submit these forms. */
export const FORM_PAGES: readonly string[] = [
  '/',
  '/login',
  '/register',
  '/invite',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/unsubscribe/$token',
];

/** Returns all paths in the router's source code. */
export function readRouterPaths(): readonly string[] {
  const router = readFileSync(join(root, 'apps/dashboard/src/router.tsx'), 'utf8');
  return [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
}
