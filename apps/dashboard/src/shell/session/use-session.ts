import { createContext, useContext, useSyncExternalStore } from 'react';
import { session } from '../api.ts';
import type { SessionState } from './session.ts';
import type { SignedInSession } from './stored-session.ts';

/** Who is looking, kept current. */
export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.state,
  );
}

/** Given by the signed-in layout, so that a page never draws itself for nobody while it is being left. */
export const SignedInContext = createContext<SignedInSession | undefined>(undefined);

/** The session of a page that only a signed-in visitor sees. */
export function useSignedIn(): SignedInSession {
  const signedIn = useContext(SignedInContext);
  if (signedIn === undefined) throw new Error('this part of the product needs a session');
  return signedIn;
}
