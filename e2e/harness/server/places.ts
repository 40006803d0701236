import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The Node that the product runs on. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');

/** An environment in which `node` is the pinned one. */
export const pinnedPath = `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
