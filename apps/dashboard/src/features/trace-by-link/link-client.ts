import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '../../shell/query-client.ts';

/** A cache of its own for one shared page: nothing that the link showed is taken for what a member reads, and all its queries have the token. */
export function createSharedClient(token: string): QueryClient {
  const client = createQueryClient();
  const { queries, ...options } = client.getDefaultOptions();
  client.setDefaultOptions({ ...options, queries: { ...queries, meta: { sharedToken: token } } });
  return client;
}
