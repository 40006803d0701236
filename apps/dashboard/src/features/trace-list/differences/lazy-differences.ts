import { lazyPart } from '../../../shell/load-page.ts';

/** Loaded on demand, since most visits of a page compare no requests. */
export const LinkedDifferences = lazyPart(() => import('./linked-differences.tsx'), 'LinkedDifferences');
