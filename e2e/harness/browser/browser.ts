import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';

/**
 * Options for Chromium. CHROMIUM_PATH contains the path of the program. If the variable is not set, the global setup sets it to the
 * Chromium that npm installed.
 */
export const browserOptions: Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> = {
  browserName: 'chromium',
  launchOptions: {
    ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
    // Without a UTF-8 locale, Chromium cannot save downloads to a path with letters beyond ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    // Reduces the number of processes and threads, because several browsers and servers run on two processors.
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-site-isolation-trials'],
  },
  viewport: { width: 1440, height: 900 },
  // Turns animations off, because they would take a tenth of the duration of all tests.
  contextOptions: { reducedMotion: 'reduce' },
  // Traces contain no screenshots and no DOM snapshots, because these would double the duration of the tests.
  trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: true },
  screenshot: 'only-on-failure',
  actionTimeout: 20_000,
};

/**
 * Sets CHROMIUM_PATH, which the test processes inherit. Unpacks Chromium before the test processes start, because two processes that unpack
 * it at the same time fail with ETXTBSY.
 */
export async function findChromium(): Promise<void> {
  if (process.env.CHROMIUM_PATH !== undefined) return;
  // The package contains the libraries that are missing on a bare machine, but unpacks them only if it detects AWS.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  process.env.CHROMIUM_PATH = await chromium.executablePath();
}
