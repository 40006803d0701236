import type { ProjectId } from '../../platform/ids.ts';
import { createRandomBase62, hashToken, type Sealer } from '../../platform/start/secrets.ts';
import type { NewKey } from './store.ts';

const KEY = /^tl_[0-9A-Za-z]{40}$/;

/**
 * Creates an API key. Returns the key itself, its hash, by which the key is looked up, and the encrypted key, which can be shown again.
 */
export function createKey(sealer: Sealer, projectId: ProjectId): NewKey & { readonly apiKey: string } {
  const apiKey = `tl_${createRandomBase62(40)}`;
  return { apiKey, hash: hashToken(apiKey), sealed: sealer.seal(apiKey, projectId) };
}

/** Returns the hash by which an API key is looked up; undefined if the string is not an API key. */
export function hashOfKey(apiKey: string): string | undefined {
  return KEY.test(apiKey) ? hashToken(apiKey) : undefined;
}
