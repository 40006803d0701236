import { lazyPart } from '../../../shell/load-page.ts';

/** Loads the dialogs of an open trace, for example when a row is pointed at. */
export const loadTraceDialogs = () => import('./trace-dialogs.tsx');
export const TraceDialogs = lazyPart(loadTraceDialogs, 'TraceDialogs');
