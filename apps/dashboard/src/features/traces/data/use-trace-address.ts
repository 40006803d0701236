import { useRouter } from '@tanstack/react-router';
import { useViewParams, type ViewParams } from '../../../shell/url-state/search-params.ts';
import { useSharedToken } from './trace-calls.ts';

/** Returns the URL parameters that describe how a trace is shown: view, selected step and step filter. */
export function useTraceLook(): Pick<
  ViewParams,
  'view' | 'step' | 'find' | 'kind' | 'only' | 'compare' | 'origin'
> {
  const { view, step, find, kind, only, compare, origin } = useViewParams();
  return { view, step, find, kind, only, compare, origin };
}

/** Returns a link to the trace's own page with the same view; on a shared page, the shared link. */
export function useTraceAddress(traceId: string): string {
  const router = useRouter();
  const search = useTraceLook();
  const token = useSharedToken();
  const { href } =
    token === undefined
      ? router.buildLocation({ to: '/traces/$id', params: { id: traceId }, search })
      : router.buildLocation({ to: '/shared/$token', params: { token }, search });
  return new URL(href, window.location.origin).href;
}
