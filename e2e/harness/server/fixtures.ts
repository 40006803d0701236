import { test as base } from '@playwright/test';
import { type Product, startServer } from './product.ts';

interface Fixtures {
  /** A server for this test only. */
  readonly product: Product;
}

/** Test function for tests that need a separate server. */
export const test = base.extend<Fixtures>({
  // Playwright reads what a fixture needs from its first parameter's pattern.
  // biome-ignore lint/correctness/noEmptyPattern: it needs nothing
  product: async ({}, use) => {
    const product = await startServer();
    await use(product);
    await product.stop();
  },
  baseURL: async ({ product }, use) => {
    await use(product.url);
  },
});
