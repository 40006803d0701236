import { useQuery } from '@tanstack/react-query';
import { routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';

/**
 * Fetches facts about the server, such as its public address and whether it runs the demo. The facts do not change while the page is open.
 */
export function useAbout() {
  return useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => api.call(routes.product.about, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
