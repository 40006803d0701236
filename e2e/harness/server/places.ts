import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Path of the Node that the product runs on. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');

/** A PATH on which `node` is the pinned Node. */
export const pinnedPath = `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
