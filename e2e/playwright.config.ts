import { defineConfig } from '@playwright/test';
import { browserOptions } from './harness/browser.ts';

/** Each test has a server process of its own, so two at once are what two cores bear. */
export default defineConfig({
  testDir: 'tests',
  globalSetup: './harness/global-setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // What takes too long for `npm test` is tried by `npm run test:long`.
  grep: process.env.BROWSER_TESTS === 'long' ? /@long/ : /^(?!.*@long)/,
  reporter: 'list',
  use: browserOptions,
});
