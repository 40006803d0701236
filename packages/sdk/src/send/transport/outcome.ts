import { retryAfterMs } from './backoff.ts';

/** The response to one batch. If there was no response, `status` is 0 and `failure` contains the reason. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  readonly failure?: string;
}

/** The project's settings, from the server. */
export interface RemoteSettings {
  readonly sampleRate?: number;
  readonly capture?: 'all' | 'structure' | 'off';
}

/** The exporter's next action for a batch, after a response. */
export type Outcome =
  /** The server stored the batch, except for `rejected` traces. `reason` describes the first rejection. */
  | {
      readonly kind: 'stored';
      readonly rejected: number;
      readonly reason: string | undefined;
      readonly settings: RemoteSettings | undefined;
    }
  /** The same batch must be sent again, after `waitMs` if the server requested a wait. */
  | {
      readonly kind: 'retry';
      readonly waitMs: number | undefined;
      readonly reason: string;
      readonly bounded: boolean;
    }
  /** The server does not accept the body. The batch must be split, so that only the trace that is the cause is lost. */
  | { readonly kind: 'split'; readonly reason: string; readonly isTooLarge: boolean }
  /** The server will never accept this batch. */
  | { readonly kind: 'discard'; readonly reason: string }
  /** The server accepts no traces from this process until a person changes a setting. */
  | { readonly kind: 'refused'; readonly reason: string };

const TOO_LARGE =
  'it is too large (413); raise the limit of the server or a proxy, in nginx client_max_body_size';

/** Classifies responses to `POST /api/ingest/traces` by the server or by a proxy before it. */
export function classifyResponse(answer: Answer, nowMs: number): Outcome {
  const { status } = answer;
  if (status === 0) {
    return { kind: 'retry', waitMs: undefined, reason: answer.failure ?? 'no answer', bounded: false };
  }
  if (status >= 200 && status < 300) return judgeStored(answer);
  const code = readErrorCode(answer.body);
  const said = `${status}${code === undefined ? '' : ` ${code}`}`;
  switch (status) {
    case 401:
    case 403:
      return { kind: 'refused', reason: `the API key is not valid (${said})` };
    case 402:
      return { kind: 'refused', reason: `the plan does not include more traces (${said})` };
    case 413:
      return { kind: 'split', reason: TOO_LARGE, isTooLarge: true };
    case 408:
    case 429:
    case 503:
      return { kind: 'retry', waitMs: retryAfterMs(answer.retryAfter, nowMs), reason: said, bounded: false };
    case 400:
    case 415:
    case 422:
      // One trace can be the cause of invalid JSON, but so can a proxy that changes every body. Other errors, such as an invalid envelope,
      // occur for each part of the batch, too.
      return code === 'invalid_json'
        ? { kind: 'split', reason: said, isTooLarge: false }
        : { kind: 'discard', reason: said };
    default:
      if (status < 500) {
        return {
          kind: 'refused',
          reason: `no Throughline server responds at this address (${said}); check the url`,
        };
      }
      return { kind: 'retry', waitMs: retryAfterMs(answer.retryAfter, nowMs), reason: said, bounded: true };
  }
}

function judgeStored(answer: Answer): Outcome {
  const body = parse(answer.body);
  if (body === undefined || typeof body.accepted !== 'number') {
    const reason = 'the program at this address is not a Throughline server; check the url';
    return { kind: 'refused', reason };
  }
  const rejected = Array.isArray(body.rejected) ? body.rejected : [];
  return {
    kind: 'stored',
    rejected: rejected.length,
    reason: formatRejection(rejected[0]),
    settings: readSettings(body.settings),
  };
}

type Fields = { readonly [name: string]: unknown };

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readErrorCode(text: string): string | undefined {
  const error = parse(text)?.error;
  return isFields(error) && typeof error.code === 'string' ? cleanMessage(error.code) : undefined;
}

/** Names the field without indexes, so that one cause results in the same text for each trace and step. */
function formatRejection(rejection: unknown): string | undefined {
  if (!isFields(rejection)) return undefined;
  const message = `${rejection.message}`.replace(/^traces\[\d+\]\.?/, '').replace(/\[\d+\]/g, '[]');
  return cleanMessage(`${rejection.code}: ${message}`);
}

/** Shortens a server's message and removes control characters, because the message is printed to the host's terminal. */
function cleanMessage(text: string): string {
  return text.replace(/\p{C}/gu, ' ').slice(0, 200);
}

function readSettings(settings: unknown): RemoteSettings | undefined {
  if (!isFields(settings)) return undefined;
  const { sampleRate, capture } = settings;
  return {
    ...(typeof sampleRate === 'number' && sampleRate >= 0 && sampleRate <= 1 && { sampleRate }),
    ...((capture === 'all' || capture === 'structure' || capture === 'off') && { capture }),
  };
}
