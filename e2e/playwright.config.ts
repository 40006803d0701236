import { defineConfig } from '@playwright/test';
import { browserOptions } from './harness/browser/browser.ts';

/** Begun first, so that no worker is left with one of their tests, which take minutes, when the others have ended. */
const LONGEST = /(accessibility|analytics|extreme-traces|widths)\.spec\.ts$/;

/** Tests wait for their browser and server much of the time, so four at once keep two cores busy. */
export default defineConfig({
  testDir: 'tests',
  globalSetup: './harness/server/global-setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 4,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // A shared machine stops for seconds now and then. The run names each test that passed only at its second try.
  retries: 1,
  // `npm run test:long` runs the tests that take too long for `npm test`.
  grep: process.env.BROWSER_TESTS === 'long' ? /@long|windows of every width/ : /^(?!.*@long)/,
  reporter: 'list',
  use: browserOptions,
  projects: [
    { name: 'longest', testMatch: LONGEST },
    { name: 'others', testIgnore: LONGEST },
  ],
});
