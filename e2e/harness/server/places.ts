import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Path of the Node executable that runs the product. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');

/** A PATH in which `node` is the pinned Node version. */
export const pinnedPath = `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
