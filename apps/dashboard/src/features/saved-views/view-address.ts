import { SAVED_PARAMS, type SavedView } from '@throughline/contract';
import {
  readTraceFilterParams,
  TraceFilterParams,
  type ViewChange,
  ViewParams,
} from '../../shell/url-state/search-params.ts';

export const PAGE_PATHS = { dashboard: '/dashboard', 'raw-traces': '/raw-traces' } as const;
export const PAGE_NAMES = { dashboard: 'Dashboard', 'raw-traces': 'Raw Traces' } as const;

/** Saved parameters that are not filters, such as the order of the list. */
const OTHER_PARAMS = SAVED_PARAMS.filter((name) => !Object.hasOwn(TraceFilterParams.shape, name));

/** Returns the URL parameters that a saved view stores. */
export function readSavedParams(params: ViewParams): Record<string, string> {
  const given: Readonly<Record<string, unknown>> = params;
  const saved = {
    ...readTraceFilterParams(params),
    ...Object.fromEntries(OTHER_PARAMS.map((name) => [name, given[name]])),
  };
  return Object.fromEntries(
    Object.entries(saved).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '',
    ),
  );
}

/** Returns the URL parameters that open a saved view. */
export function buildViewSearch({ projectId, params }: SavedView): ViewChange {
  return { ...ViewParams.parse(params), project: projectId ?? undefined };
}

/**
 * True if a page shows the view: the same list, with the same filters. Parameters that a view does not store, such as the open trace, are
 * not compared.
 */
export function isViewOpen(view: SavedView, path: string, params: ViewParams): boolean {
  const isPage = path === PAGE_PATHS[view.page] || (view.page === 'dashboard' && path === '/app');
  if (!isPage || (params.project ?? null) !== view.projectId) return false;
  const [shown, saved] = [readSavedParams(params), readSavedParams(ViewParams.parse(view.params))];
  return Object.keys({ ...shown, ...saved }).every((name) => shown[name] === saved[name]);
}
