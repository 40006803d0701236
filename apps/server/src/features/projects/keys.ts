import type { ProjectId } from '../../platform/ids.ts';
import { hashToken, randomBase62, type Sealer } from '../../platform/start/secrets.ts';
import type { NewKey } from './store.ts';

const KEY = /^tl_[0-9A-Za-z]{40}$/;

/** A key as it is handed out, and as it is stored: by hash to look it up, sealed to show it again. */
export function createKey(sealer: Sealer, projectId: ProjectId): NewKey & { readonly apiKey: string } {
  const apiKey = `tl_${randomBase62(40)}`;
  return { apiKey, hash: hashToken(apiKey), sealed: sealer.seal(apiKey, projectId) };
}

/** The hash that a key is looked up by; undefined where the text is no key at all. */
export function hashOfKey(apiKey: string): string | undefined {
  return KEY.test(apiKey) ? hashToken(apiKey) : undefined;
}
