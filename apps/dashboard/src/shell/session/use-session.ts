import { createContext, useContext, useSyncExternalStore } from 'react';
import { session } from '../api.ts';
import type { SessionState } from './session.ts';
import type { SignedInSession } from './stored-session.ts';

/** Returns the current session state, and renders the component again when the state changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.state,
  );
}

/**
 * The session for the pages inside the signed-in layout. When the session ends, the layout removes these pages. They read the user from
 * this context and not from `useSession`, so that none of them is rendered without a user before it is removed.
 */
export const SignedInContext = createContext<SignedInSession | undefined>(undefined);

/** Returns the session of a page that only signed-in users see. */
export function useSignedIn(): SignedInSession {
  const signedIn = useContext(SignedInContext);
  if (signedIn === undefined) throw new Error('this part of the product needs a session');
  return signedIn;
}
