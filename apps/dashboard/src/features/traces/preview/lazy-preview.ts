import { lazyPart } from '../../../shell/load-page.ts';

/** Loads the preview of a request, for example when a row is pointed at. */
export const loadTracePreview = () => import('./trace-preview.tsx');
export const TracePreview = lazyPart(loadTracePreview, 'TracePreview');
