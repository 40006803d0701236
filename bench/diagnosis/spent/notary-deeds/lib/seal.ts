import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The signing device answers slowly. */
export async function seal(deed: object): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(deed)).digest('hex');
  await wait(200);
  return digest.slice(0, 16);
}
