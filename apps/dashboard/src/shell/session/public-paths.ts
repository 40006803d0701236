import type { QueryClient } from '@tanstack/react-query';
import { routes } from '@throughline/contract';
import { api } from '../api.ts';

const TRACE = /^\/traces\/([^/]+)$/;
const SHARED = /^\/shared\/[^/]+\/?$/;

/** True for the page of a shared link, which is the same with and without a session. */
export function isSharedPath(path: string): boolean {
  return SHARED.test(path);
}

/** True for the page of a trace, which public viewers can see if the trace's project is public. */
export function isPublicPath(path: string): boolean {
  return TRACE.test(path);
}

/** True if the path shows something to public viewers: a shared trace, or a trace of a public project. Never rejects. */
export async function isOpenToPublicViewers(client: QueryClient, path: string): Promise<boolean> {
  if (isSharedPath(path)) return true;
  const id = TRACE.exec(path)?.[1];
  if (id === undefined) return false;
  return client.fetchQuery({
    queryKey: ['open-to-public-viewers', id],
    queryFn: ({ signal }) =>
      api
        .call(routes.traces.read, { params: { id: decodeSegment(id) }, query: { values: 'false' }, signal })
        .then(
          () => true,
          () => false,
        ),
    staleTime: 60_000,
  });
}

/** Decodes a path segment. Returns the segment unchanged if it does not decode to valid UTF-8. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
