import { useQuery } from '@tanstack/react-query';
import { routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';

/** Fetches the server's public address and whether the server runs the demo. Neither changes while the page is open. */
export function useAbout() {
  return useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => api.call(routes.product.about, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
