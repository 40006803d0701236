import { useRouter } from '@tanstack/react-router';
import { useViewParams } from '../../shell/search-params.ts';

/** A trace's own page as a link to send, with the view and step that are looked at. */
export function useTraceAddress(traceId: string): string {
  const router = useRouter();
  const { view, step } = useViewParams();
  const { href } = router.buildLocation({
    to: '/traces/$id',
    params: { id: traceId },
    search: { view, step },
  });
  return new URL(href, window.location.origin).href;
}
