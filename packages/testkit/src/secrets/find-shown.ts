import type { SecretItem } from './item.ts';
import { showsSecret } from './item.ts';

/**
 * Number of characters by which a secret is found. A secret is searched for by its first characters, and by the first characters of its
 * second half, because `showsSecret` also reports half of a long secret.
 */
const PREFIX = 8;

/** Finds which of many secrets appear in a long text, in one pass. */
export class SecretSearch {
  readonly #byPrefix = new Map<string, SecretItem[]>();

  constructor(secrets: readonly SecretItem[]) {
    for (const item of secrets) {
      const { secret } = item;
      const half = Math.ceil(secret.length / 2);
      for (const prefix of new Set([secret.slice(0, PREFIX), secret.slice(-half).slice(0, PREFIX)]))
        this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), item]);
    }
  }

  /** Returns the secrets that appear in the text. */
  find(text: string): SecretItem[] {
    const found = new Set<SecretItem>();
    for (let at = 0; at + PREFIX <= text.length; at++) {
      const items = this.#byPrefix.get(text.slice(at, at + PREFIX));
      if (items === undefined) continue;
      const near = text.slice(Math.max(0, at - MAX_SECRET), at + MAX_SECRET);
      for (const item of items) if (showsSecret(near, item)) found.add(item);
    }
    return [...found];
  }
}

/** Maximum length of a generated secret. */
const MAX_SECRET = 512;
