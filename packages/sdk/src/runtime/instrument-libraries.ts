import { watchLibraries } from '../libraries/watch-libraries.ts';
import { watchLogs } from '../logs/watch-logs.ts';
import { watchFetch } from '../outgoing/fetch.ts';
import { watchHttpClients } from '../outgoing/http-client.ts';
import { watchUndici } from '../outgoing/undici.ts';

/**
 * Makes work that is not the host's own functions steps too: requests to other servers, databases, caches, queues, spans of OpenTelemetry, and with
 * `logs` what is logged. Nothing is loaded for it but what belongs to a library that the host has loaded.
 */
export function watchOtherWork(options: { readonly logs: boolean }): void {
  watchHttpClients();
  watchUndici();
  watchFetch();
  watchLibraries(options);
  if (options.logs) watchLogs();
}
