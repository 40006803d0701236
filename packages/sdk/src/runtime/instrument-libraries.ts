import { watchLibraries } from '../libraries/watch-libraries.ts';
import { watchLogs } from '../logs/watch-logs.ts';
import { watchFetch } from '../outgoing/fetch.ts';
import { watchHttpClients } from '../outgoing/http-client.ts';
import { watchUndici } from '../outgoing/undici.ts';

/**
 * Makes work outside of the host's own functions steps, too: requests to other servers, databases, caches, queues, OpenTelemetry spans and,
 * with `logs`, log lines. Loads only modules that belong to a library that the host has loaded.
 */
export function instrumentLibraries(options: { readonly logs: boolean }): void {
  watchHttpClients();
  watchUndici();
  watchFetch();
  watchLibraries(options);
  if (options.logs) watchLogs();
}
