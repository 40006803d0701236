import { test as base } from '@playwright/test';
import { type Account, ada, grace } from '../people/people.ts';
import { type Product, startServer } from './product.ts';

interface OfTest {
  /** Unregistered users, with email addresses that no other test uses. */
  readonly ada: Account;
  readonly grace: Account;
  /** An organization name that is not yet in use. */
  readonly organizationName: string;
}

interface OfWorker {
  /** A server that all tests of a worker use, one after another. Each test has its own users, organizations and projects. */
  readonly product: Product;
}

let tests = 0;

/** Test function for tests that share a server, because they only read data of users that they created themselves. */
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
