import { useNavigate } from '@tanstack/react-router';
import { useChangeView, useViewParams, type ViewParams } from '../../../shell/url-state/search-params.ts';

/** Returns a function that opens another trace in the given view: in the dialog if a dialog over a list is open, otherwise as a page. */
export function useOpenTrace(view: NonNullable<ViewParams['view']>): (traceId: string) => void {
  const change = useChangeView();
  const navigate = useNavigate();
  const { trace: opened } = useViewParams();
  return (traceId) => {
    if (opened !== undefined) change({ trace: traceId, view, step: undefined, origin: undefined });
    else void navigate({ to: '/traces/$id', params: { id: traceId }, search: { view } });
  };
}
