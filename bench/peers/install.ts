import { join } from 'node:path';
import { installPinned } from '@throughline/testkit/pinned-packages';

/** Installs the tracers with which the SDK is compared, in the versions in the lockfile in `packages/`. Returns the folder with them. */
export function installPeers(): Promise<string> {
  return installPinned({
    from: join(import.meta.dirname, 'packages'),
    cache: join(import.meta.dirname, '..', '..', '.cache', 'bench-peers'),
    what: 'what we are compared with',
  });
}
