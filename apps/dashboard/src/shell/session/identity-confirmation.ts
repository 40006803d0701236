import { ApiError, type ConfirmWith, TEXTS } from '@throughline/contract';

interface Asked {
  readonly confirmWith: ConfirmWith;
  readonly answer: Promise<boolean>;
  readonly resolve: (confirmed: boolean) => void;
}

/**
 * Repeats API requests that the server rejected because the user must first confirm their identity. One dialog serves all waiting requests:
 * the dialog watches this class through `subscribe` and `confirmWith`, and reports the result with `settle`.
 */
export class IdentityConfirmation {
  readonly #listeners = new Set<() => void>();
  /** Remembers the focused element; the returned function restores the focus. */
  readonly #rememberFocus: () => () => void;
  #asked: Asked | undefined;

  constructor(rememberFocus: () => () => void) {
    this.#rememberFocus = rememberFocus;
  }

  /** The proof that the dialog requests; undefined if no API request is waiting. */
  get confirmWith(): ConfirmWith | undefined {
    return this.#asked?.confirmWith;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the confirmation: the waiting API requests are repeated, or fail. */
  settle(confirmed: boolean): void {
    const asked = this.#asked;
    this.#become(undefined);
    asked?.resolve(confirmed);
  }

  async guard<T>(call: () => Promise<T>): Promise<T> {
    // The focused element is remembered before the request is sent, since a button that waits for its request is disabled and loses the
    // focus.
    const focusBack = this.#rememberFocus();
    try {
      return await call();
    } catch (error) {
      const confirmWith = readConfirmWith(error);
      // Without a dialog, the user cannot be prompted.
      if (confirmWith === undefined || this.#listeners.size === 0) throw error;
      try {
        if (!(await this.#ask(confirmWith))) throw buildNotConfirmed(error);
        return await call();
      } finally {
        focusBack();
      }
    }
  }

  #ask(confirmWith: ConfirmWith): Promise<boolean> {
    if (this.#asked === undefined) {
      const { promise: answer, resolve } = Promise.withResolvers<boolean>();
      this.#become({ confirmWith, answer, resolve });
      return answer;
    }
    return this.#asked.answer;
  }

  #become(asked: Asked | undefined): void {
    if (asked === this.#asked) return;
    this.#asked = asked;
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the proof that the server requires before it accepts the API request; undefined if the request failed for another reason. */
export function readConfirmWith(error: unknown): ConfirmWith | undefined {
  const isRefused = error instanceof ApiError && error.code === 'reauthentication_required';
  return isRefused ? error.details?.confirmWith : undefined;
}

function buildNotConfirmed(cause: unknown): ApiError {
  return new ApiError({
    status: 403,
    code: 'reauthentication_required',
    message: TEXTS.notConfirmed,
    cause,
  });
}
