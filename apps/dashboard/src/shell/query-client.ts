import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@throughline/contract';

const MAX_RETRIES = 2;

/** Only what may pass by itself is tried again; a refusal is shown at once. */
function retry(failures: number, error: Error): boolean {
  if (failures >= MAX_RETRIES) return false;
  if (!(error instanceof ApiError)) return true;
  // Two retries would triple the wait.
  return error.code !== 'no_answer' && (error.status === 0 || error.status >= 500);
}

/** Server data lives here and nowhere else. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The browser's `offline` says nothing of a server on this machine, and a call that waits for `online` would run when nobody expects it.
      queries: { retry, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
