import type { Identity, SignedIn } from '@throughline/contract';
import { type KeyValueStorage, type SignedInSession, STORED_KEYS, StoredSession } from './stored-session.ts';

/** The state of the session, with the viewer if the viewer is signed in. */
export type SessionState =
  /** A stored token is being checked with the server. */
  | { readonly status: 'checking' }
  | { readonly status: 'anonymous' }
  | ({ readonly status: 'signed-in' } & SignedInSession)
  /** There is a token, but the server could not be reached to check it. */
  | { readonly status: 'unchecked'; readonly error: unknown };

export interface SessionOptions {
  readonly storage: KeyValueStorage;
  /** Returns the token's user from the server; resolves to null if the token is no longer valid. */
  readonly check: (token: string) => Promise<Identity | null>;
  /** Notifies the product's other pages in this browser that the session has ended. */
  readonly tellLogout: () => void;
}

/** The session as this page knows it. Components read it with `useSession`; API requests read its token with `token()`. */
export class Session {
  readonly #options: SessionOptions;
  readonly #stored: StoredSession;
  readonly #listeners = new Set<() => void>();
  #state: SessionState;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#stored = new StoredSession(options.storage);
    this.#state = this.#stored.token() === null ? { status: 'anonymous' } : { status: 'checking' };
  }

  get state(): SessionState {
    return this.#state;
  }

  token(): string | null {
    return this.#stored.token();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Checks the stored token with the server; never rejects. Changes by another page in the meantime take precedence. */
  async check(): Promise<void> {
    const token = this.#stored.token();
    if (token === null) {
      this.#become({ status: 'anonymous' });
      return;
    }
    if (this.#state.status !== 'signed-in' || this.#state.token !== token)
      this.#become({ status: 'checking' });
    try {
      const identity = await this.#options.check(token);
      if (this.#stored.token() !== token) return;
      if (identity === null) this.#forget();
      else this.#enter({ token, user: identity.user, organization: identity.organization });
    } catch (error) {
      if (this.#stored.token() === token && this.#state.status !== 'signed-in') {
        this.#become({ status: 'unchecked', error });
      }
    }
  }

  signIn(answer: SignedIn): void {
    this.#enter({ token: answer.token, user: answer.user, organization: answer.organization });
  }

  /** Ends the session in this browser: deletes the stored session and notifies the other pages. */
  logout(): void {
    this.#forget();
    this.#options.tellLogout();
  }

  /** Called if the server no longer accepts this token. A newer token from another login is not affected. */
  expire(token: string | null): void {
    if (token !== null && this.#stored.token() === token) this.logout();
  }

  /** Called if another page of this browser logged out. If that page has logged in again, this page takes over the new session. */
  hearLogout(): void {
    const token = this.#stored.token();
    if (token === null || (this.#state.status === 'signed-in' && this.#state.token === token)) this.#forget();
    else this.hearStorage(null);
  }

  /** Called if another page of this browser changed the stored session: takes over the new session, or its end. */
  hearStorage(key: string | null): void {
    if (key !== null && !STORED_KEYS.some((stored) => stored === key)) return;
    const session = this.#stored.read();
    if (session === undefined) {
      if (this.#stored.token() === null) this.#become({ status: 'anonymous' });
      return;
    }
    this.#become({ status: 'signed-in', ...session });
  }

  #enter(session: SignedInSession): void {
    this.#stored.write(session);
    this.#become({ status: 'signed-in', ...session });
  }

  #forget(): void {
    this.#stored.clear();
    this.#become({ status: 'anonymous' });
  }

  #become(state: SessionState): void {
    if (state.status === 'anonymous' && this.#state.status === 'anonymous') return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
