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
  /** Called with the project's settings in each response. Settings that the project does not set are absent. */
  readonly onSettings?: (settings: RemoteSettings) => void;
  /**
   * Limit for the bytes of queued and in-flight JSON; by default chosen from the machine's memory. Above the limit, values are dropped
   * first, then the oldest traces.
   */
  readonly maxBytes?: number;
  /** Longest time a trace waits to be batched with others, in milliseconds. */
  readonly delayMs?: number;
  /** How long the exporter waits before it tries again after the server refused traces, in milliseconds. */
  readonly probeMs?: number;
  /** How long after a response `askSettings` requests the settings again, in milliseconds. */
  readonly askMs?: number;
  /** Time limit of `flushSync`, in milliseconds. */
  readonly lastWordsMs?: number;
}

/** Numbers of traces by outcome. */
export interface ExporterCounters {
  /** Traces stored by the server. */
  readonly accepted: number;
  /** Traces that the server rejected individually. */
  readonly rejected: number;
  /** Traces that were dropped: the queue was full, their batch was refused, or the process ended. */
  readonly lost: number;
}
