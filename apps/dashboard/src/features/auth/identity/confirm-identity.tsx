import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { identityConfirmation } from '../../../shell/api.ts';
import { lazyPart } from '../../../shell/load-page.ts';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

/** Asks the user to confirm their identity when a call needs that: part of every page of a signed-in user. */
export function ConfirmIdentity() {
  const confirmWith = useSyncExternalStore(
    (listener) => identityConfirmation.subscribe(listener),
    () => identityConfirmation.confirmWith,
  );
  const [wasAsked, setWasAsked] = useState(false);
  if (confirmWith !== undefined && !wasAsked) setWasAsked(true);
  // The session has ended, or another user has logged in: nobody is left to answer.
  useEffect(() => () => identityConfirmation.settle(false), []);
  if (!wasAsked) return null;
  return (
    <Suspense>
      <ConfirmDialog
        confirmWith={confirmWith}
        onSettled={(confirmed) => identityConfirmation.settle(confirmed)}
      />
    </Suspense>
  );
}
