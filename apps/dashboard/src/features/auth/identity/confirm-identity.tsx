import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { identityConfirmation } from '../../../shell/api.ts';
import { lazyPart } from '../../../shell/load-page.ts';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

/** Opens the identity dialog when an API route requires confirmation. */
export function ConfirmIdentity() {
  const confirmWith = useSyncExternalStore(
    (listener) => identityConfirmation.subscribe(listener),
    () => identityConfirmation.confirmWith,
  );
  const [wasAsked, setWasAsked] = useState(false);
  if (confirmWith !== undefined && !wasAsked) setWasAsked(true);
  // After the unmount, the user has no dialog to confirm in, so a waiting API request fails.
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
