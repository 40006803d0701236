import { useNavigate } from '@tanstack/react-router';
import { useChangeView, useViewParams, type ViewParams } from '../../../shell/url-state/search-params.ts';

/** Opens another trace in the same view: in the dialog over a list, or as a page of its own from a trace page. */
export function useOpenTrace(view: NonNullable<ViewParams['view']>): (traceId: string) => void {
  const change = useChangeView();
  const navigate = useNavigate();
  const { trace: opened } = useViewParams();
  return (traceId) => {
    if (opened !== undefined) change({ trace: traceId, view, step: undefined, origin: undefined });
    else void navigate({ to: '/traces/$id', params: { id: traceId }, search: { view } });
  };
}
