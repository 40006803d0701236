import { test as base } from '@playwright/test';
import { type Account, ada, grace } from '../people/people.ts';
import { type Product, startServer } from './product.ts';

interface OfTest {
  /** Somebody whom the server has not seen yet, under an address that no other test has. */
  readonly ada: Account;
  readonly grace: Account;
  /** A name that no organization has yet. */
  readonly organizationName: string;
}

interface OfWorker {
  /** A server that tests share, one after the other: each has people, organizations and projects of its own. */
  readonly product: Product;
}

let tests = 0;

/** Tests that need no server of their own: what they look at belongs to people whom they made. */
export const test = base.extend<OfTest & { readonly number: number }, OfWorker>({
  product: [
    // Playwright reads what a fixture needs from its first parameter's pattern.
    // biome-ignore lint/correctness/noEmptyPattern: it needs nothing
    async ({}, use) => {
      const product = await startServer();
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => {
    await use(product.url);
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  number: async ({}, use) => {
    tests += 1;
    await use(tests);
  },
  ada: async ({ number }, use) => {
    await use({ ...ada, email: `ada@test-${number}.example` });
  },
  grace: async ({ number }, use) => {
    await use({ ...grace, email: `grace@test-${number}.example` });
  },
  organizationName: async ({ number }, use) => {
    await use(`Analytical Engines ${number}`);
  },
});
