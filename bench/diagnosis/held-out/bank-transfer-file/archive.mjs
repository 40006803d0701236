import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const files = new Map();

export async function archive(file) {
  await delay(2);
  const reference = createHash('sha1').update(file).digest('hex').slice(0, 10);
  files.set(reference, file);
  return reference;
}
