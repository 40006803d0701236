import { ApiError, type Client, createClient, routes } from '@throughline/contract';
import { IdentityConfirmation } from './session/identity-confirmation.ts';
import { Session } from './session/session.ts';

const CHANNEL = 'throughline';
const LOGOUT = 'logout';

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

/**
 * Maximum wait for a response, in milliseconds. Without this limit, a page would wait for minutes if a network silently drops packets. The
 * server may queue a large trace for up to a minute.
 */
const ANSWER_TIMEOUT_MS = 90_000;

function createClientFor(token: () => string | null): Client {
  return createClient({
    baseUrl: '',
    fetch: (input, init) => globalThis.fetch(input, init),
    token,
    timeoutMs: ANSWER_TIMEOUT_MS,
  });
}

/** The session of this browser, which all API requests use. */
export const session = new Session({
  storage: globalThis.localStorage,
  async check(token) {
    try {
      return await createClientFor(() => token).call(routes.auth.session, {});
    } catch (error) {
      if (isSessionOver(error)) return null;
      throw error;
    }
  },
  tellLogout: () => channel?.postMessage(LOGOUT),
});

const client = createClientFor(() => session.token());

/**
 * If the server rejects the session, ends the session in the browser as well. The router then opens the login page, and after the login
 * returns to the page.
 */
async function endSessionIfRejected<T>(call: () => Promise<T>): Promise<T> {
  const token = session.token();
  try {
    return await call();
  } catch (error) {
    if (isSessionOver(error)) session.expire(token);
    throw error;
  }
}

/**
 * Remembers the focused element. The returned function waits two frames, until a disabled button is enabled again, and then restores the
 * focus, unless the user moved the focus elsewhere.
 */
function rememberFocus(): () => void {
  const before = document.activeElement;
  const focus = () => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
  };
  return () => requestAnimationFrame(() => requestAnimationFrame(focus));
}

/** Repeats API requests that need a recent authentication, once the user has confirmed their identity. */
export const identityConfirmation = new IdentityConfirmation(rememberFocus);

/** Calls the product's API routes with the session's token. Throws `ApiError`. */
export const api: Client = {
  call: (route, input) =>
    identityConfirmation.guard(() => endSessionIfRejected(() => client.call(route, input))),
  open: (route, input) => endSessionIfRejected(() => client.open(route, input)),
};

/** True if the error means that the session has ended. The error of a failed login does not mean that. */
function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthenticated';
}

/** Applies session changes of the product's other pages in this browser, until this page is closed. */
export function listenToOtherPages(): void {
  window.addEventListener('storage', (event) => session.hearStorage(event.key));
  channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.data === LOGOUT) session.hearLogout();
  });
}
