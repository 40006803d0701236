import { join } from 'node:path';
import { installPinned } from '@throughline/testkit/pinned-packages';

/** Installs the tracers to compare with, in the versions that the lockfile in `packages/` pins. Returns their folder. */
export function installPeers(): Promise<string> {
  return installPinned({
    from: join(import.meta.dirname, 'packages'),
    cache: join(import.meta.dirname, '..', '..', '.cache', 'bench-peers'),
    what: 'what we are compared with',
  });
}
