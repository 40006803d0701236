import { Organization, User } from '@throughline/contract';

/** The signed-in user with the token. */
export interface SignedInSession {
  readonly token: string;
  readonly user: User;
  readonly organization: Organization | null;
}

/** The keys of the session in the browser's local storage. */
export const STORED_KEYS = ['auth_token', 'user_data', 'organization_data'] as const;
type StoredKey = (typeof STORED_KEYS)[number];

/** The used part of the browser's storage API. Any method may throw, since storage can be forbidden or full. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The session as stored between page loads. If the browser forbids storage, the session lasts as long as the page:
 * the user can work, but must log in again after a reload.
 */
export class StoredSession {
  readonly #storage: KeyValueStorage;
  readonly #fallback = new Map<StoredKey, string>();

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  token(): string | null {
    return this.#read('auth_token');
  }

  /** Returns the stored user, organization and token; undefined if there is no token or the data cannot be parsed. */
  read(): SignedInSession | undefined {
    const token = this.token();
    const user = User.safeParse(parse(this.#read('user_data')));
    const organization = Organization.nullable().safeParse(parse(this.#read('organization_data')));
    if (token === null || !user.success || !organization.success) return undefined;
    return { token, user: user.data, organization: organization.data };
  }

  /** Writes the token last, so that another page that sees the token also finds the user and organization. */
  write(session: SignedInSession): void {
    this.#write('user_data', JSON.stringify(session.user));
    this.#write('organization_data', JSON.stringify(session.organization));
    this.#write('auth_token', session.token);
  }

  clear(): void {
    for (const key of STORED_KEYS) {
      this.#fallback.delete(key);
      try {
        this.#storage.removeItem(key);
      } catch {
        // Nothing is stored if storage is forbidden.
      }
    }
  }

  #read(key: StoredKey): string | null {
    try {
      return this.#storage.getItem(key) ?? this.#fallback.get(key) ?? null;
    } catch {
      return this.#fallback.get(key) ?? null;
    }
  }

  #write(key: StoredKey, value: string): void {
    try {
      this.#storage.setItem(key, value);
    } catch {
      this.#fallback.set(key, value);
    }
  }
}

function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
