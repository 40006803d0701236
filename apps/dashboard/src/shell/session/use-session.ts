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

/** Provided by the signed-in layout, so that a page is never rendered without a user while the user leaves the page. */
export const SignedInContext = createContext<SignedInSession | undefined>(undefined);

/** Returns the session of a page that only signed-in users see. */
export function useSignedIn(): SignedInSession {
  const signedIn = useContext(SignedInContext);
  if (signedIn === undefined) throw new Error('this part of the product needs a session');
  return signedIn;
}
