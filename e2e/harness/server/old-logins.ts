import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Product } from './product.ts';

/**
 * Makes every login an hour older, so that none counts as recent. Stops the server meanwhile, because only one process can open the store.
 */
export async function ageLogins(product: Product): Promise<void> {
  const startAgain = await product.interrupt();
  const store = await PGlite.create({ dataDir: join(product.dataFolder, 'control') });
  await store.query("update sessions set authenticated_at = authenticated_at - interval '1 hour'");
  await store.close();
  await startAgain();
}
