import { lazyPart } from '../../../shell/load-page.ts';

/** Loaded on demand, since only a new project's page needs this component. */
export const WaitingForFirstTrace = lazyPart(() => import('./first-trace.tsx'), 'WaitingForFirstTrace');
