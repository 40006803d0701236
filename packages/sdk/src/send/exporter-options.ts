import type { Redaction } from '../redact/redaction.ts';
import type { Envelope } from './queue/batch.ts';
import type { RemoteSettings } from './transport/outcome.ts';

export interface ExporterOptions extends Envelope {
  /** The product's address, without a path of the API. */
  readonly url: string;
  readonly apiKey: string;
  /** One line for the host's log, when something keeps traces from arriving. */
  readonly report: (line: string) => void;
  readonly redact?: Redaction;
  /** Called with what the project's settings ask for at each answer; what they leave open is absent. */
  readonly onSettings?: (settings: RemoteSettings) => void;
  /** Most bytes of JSON held, waiting and under way; beyond, values are dropped and then the oldest traces. Else by the machine's memory. */
  readonly maxBytes?: number;
  /** The longest that a trace waits for others to travel with. Milliseconds. */
  readonly delayMs?: number;
  /** How long nothing is tried after a refusal. Milliseconds. */
  readonly probeMs?: number;
  /** How long after an answer `askSettings` asks for another. Milliseconds. */
  readonly askMs?: number;
  /** How long `flushSync` may take. Milliseconds. */
  readonly lastWordsMs?: number;
}

/** Counts of traces by their outcome. */
export interface ExporterCounters {
  /** Stored by the server. */
  readonly accepted: number;
  /** Refused by the server one by one. */
  readonly rejected: number;
  /** Given up: no room, refused as a batch, or left at the end. */
  readonly lost: number;
}
