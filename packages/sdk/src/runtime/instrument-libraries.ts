import { patchLibraries } from '../libraries/patch-libraries.ts';
import { patchLoggers } from '../logs/patch-loggers.ts';
import { patchFetch } from '../outgoing/fetch.ts';
import { patchHttpClients } from '../outgoing/http-client.ts';
import { subscribeToUndici } from '../outgoing/undici.ts';

/**
 * Creates steps for work outside of the host's own functions: requests to other servers, databases, caches, queues, OpenTelemetry spans
 * and, with `logs`, log lines. Loads only modules that belong to a library that the host has loaded.
 */
export function instrumentLibraries(options: { readonly logs: boolean }): void {
  patchHttpClients();
  subscribeToUndici();
  patchFetch();
  patchLibraries(options);
  if (options.logs) patchLoggers();
}
