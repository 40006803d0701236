import { expect, type Page, type Request } from '@playwright/test';

declare global {
  interface Window {
    movedControls?: Set<string>;
  }
}

/**
 * Watches the controls of every page that is opened later. A control has moved if it stayed at one place long enough to be aimed at, and a
 * click on that place misses it later. Not watched: controls that share a name with an earlier control, and rows of live lists, which move
 * when traces arrive.
 */
export async function watchControls(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const CONTROLS = 'main :is(button, a[href], input, select, textarea, summary)';
    const isLive = /^\/(dashboard|raw-traces|public\/.+)/.test(location.pathname);
    const controls = isLive ? `${CONTROLS}:not(tbody *)` : CONTROLS;
    const AIM_MS = 100;
    const centres = new Map<string, { x: number; y: number; sinceMs: number }>();
    const moved = new Set<string>();
    window.movedControls = moved;
    const look = () => {
      const seen = new Set<string>();
      for (const control of document.querySelectorAll(controls)) {
        const { x, y, width, height } = control.getBoundingClientRect();
        if (width === 0 || height === 0) continue;
        const text = control.getAttribute('aria-label') ?? control.textContent ?? '';
        const name = `${control.tagName.toLowerCase()} ${text.trim().slice(0, 60)}`;
        if (seen.has(name)) continue;
        seen.add(name);
        const centre = {
          x: x + window.scrollX + width / 2,
          y: y + window.scrollY + height / 2,
          sinceMs: performance.now(),
        };
        const before = centres.get(name);
        if (before === undefined) {
          centres.set(name, centre);
          continue;
        }
        const right = Math.round(centre.x - before.x);
        const down = Math.round(centre.y - before.y);
        if (Math.abs(right) <= width / 2 && Math.abs(down) <= height / 2) continue;
        centres.set(name, centre);
        if (centre.sinceMs - before.sinceMs >= AIM_MS) {
          moved.add(`${name}: ${right} px to the right, ${down} px down`);
        }
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Returns the controls of the open page that have moved, with the distance of each. */
export const readMovedControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(window.movedControls ?? [])]);

/**
 * Time without an API call after which a page counts as complete. A component that appears after a response makes its own API call within
 * this time.
 */
const QUIET_MS = 500;

/**
 * Delays each API call by 100 to 700 ms, depending on the call's path, so that the parts of a page arrive one after the other. Returns a
 * function that waits until the open page is complete. Live feeds never end, so they are neither delayed nor awaited.
 */
export async function delayCalls(page: Page): Promise<() => Promise<void>> {
  let open = 0;
  let lastMs = Date.now();
  const count = (change: number) => (request: Request) => {
    if (!isAwaited(request)) return;
    open += change;
    lastMs = Date.now();
  };
  page.on('request', count(1));
  page.on('requestfinished', count(-1));
  page.on('requestfailed', count(-1));
  await page.route('**/api/**', async (route, request) => {
    if (!isAwaited(request)) return route.continue();
    const { pathname } = new URL(request.url());
    const sum = [...pathname].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 601, 0);
    await new Promise((resolve) => setTimeout(resolve, 100 + sum));
    // Ignores an error: if the user has left the page meanwhile, the page no longer waits for the response.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    // A page with ten calls, each delayed, takes longer than the usual time limit on a busy machine.
    await expect
      .poll(() => (open === 0 && Date.now() - lastMs >= QUIET_MS ? 'complete' : `${open} calls are open`), {
        timeout: 60_000,
      })
      .toBe('complete');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  };
}

/** Scripts are awaited too, since parts of a page load them on demand. */
const isAwaited = (request: Request) =>
  ['fetch', 'xhr', 'script'].includes(request.resourceType()) &&
  !request.url().includes('/api/traces/stream');
