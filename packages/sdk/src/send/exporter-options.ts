import type { Redaction } from '../redact/redaction.ts';
import type { Envelope } from './queue/batch.ts';
import type { RemoteSettings } from './transport/outcome.ts';

export interface ExporterOptions extends Envelope {
  /** The server's base URL, without an API path. */
  readonly url: string;
  readonly apiKey: string;
  /** Receives a line for the host's log when a problem prevents traces from being stored. */
  readonly report: (line: string) => void;
  readonly redact?: Redaction;
  /** Called with the project's settings, which each response contains. A setting that the project does not have is absent. */
  readonly onSettings?: (settings: RemoteSettings) => void;
  /**
   * Maximum bytes of JSON that are queued or in flight. The default depends on the machine's memory. Above the limit, values are dropped
   * first, then the oldest traces.
   */
  readonly maxBytes?: number;
  /** Maximum time in ms for which a trace waits to be sent in one batch with others. */
  readonly delayMs?: number;
  /** Time in ms after which the exporter tries again if the server refused all traces. */
  readonly probeMs?: number;
  /** Minimum time in ms between a response and the next request for the settings by `askSettings`. */
  readonly askMs?: number;
  /** Time limit of `flushSync`, in milliseconds. */
  readonly exitFlushMs?: number;
}

/** Numbers of traces by outcome. */
export interface ExporterCounters {
  /** Traces stored by the server. */
  readonly accepted: number;
  /** Traces that the server rejected individually. */
  readonly rejected: number;
  /**
   * Traces that were dropped because the queue was full, the server did not accept their batch, or the process ended. Includes traces that
   * could not be serialized, and traces that were not recorded because of the memory limit.
   */
  readonly lost: number;
}
