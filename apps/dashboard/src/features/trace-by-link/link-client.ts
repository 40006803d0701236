import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '../../shell/query-client.ts';

/**
 * Creates a separate query cache for one shared trace. Members' pages therefore never show its masked values, and the shared page never
 * shows values from a member's cache. Adds the link's token to all queries.
 */
export function createSharedClient(token: string): QueryClient {
  const client = createQueryClient();
  const { queries, ...options } = client.getDefaultOptions();
  client.setDefaultOptions({ ...options, queries: { ...queries, meta: { sharedToken: token } } });
  return client;
}
