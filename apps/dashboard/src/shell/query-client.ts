import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@throughline/contract';

const MAX_RETRIES = 2;

/** Retries only errors that may be temporary; an error response that will not change is shown immediately. */
function retry(failures: number, error: Error): boolean {
  if (failures >= MAX_RETRIES) return false;
  if (!(error instanceof ApiError)) return true;
  // A request that timed out is not retried, because two retries would triple the wait.
  return error.code !== 'no_answer' && (error.status === 0 || error.status >= 500);
}

/** Creates the TanStack query client, which caches the data of the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Requests are sent even if the browser reports `offline`, because the server can be on this machine. Otherwise a request would wait
      // and be sent at an unexpected later time.
      queries: { retry, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
