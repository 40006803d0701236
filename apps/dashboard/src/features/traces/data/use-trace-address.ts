import { useRouter } from '@tanstack/react-router';
import { useViewParams, type ViewParams } from '../../../shell/url-state/search-params.ts';
import { useSharedToken } from './trace-calls.ts';

/** How a trace is looked at, as it goes along with it: the view, the step, and which steps are listed. */
export function useTraceLook(): Pick<
  ViewParams,
  'view' | 'step' | 'find' | 'kind' | 'only' | 'compare' | 'origin'
> {
  const { view, step, find, kind, only, compare, origin } = useViewParams();
  return { view, step, find, kind, only, compare, origin };
}

/** A trace's own page as a link to send, with how it is looked at; on a shared page, the shared link. */
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
