import { REDACTED_TEXT } from '@throughline/contract/redaction';
import type { CapturedRecord, TraceHead, WireSource } from './wire.ts';

/**
 * Maximum lengths that the server accepts, in characters. The server rejects a trace with a longer text. A copy of the contract's limits,
 * because the contract's module would add its schemas to this package.
 */
export const MAX_LENGTHS = {
  name: 10_000,
  filePath: 4000,
  method: 64,
  path: 8192,
  url: 65_536,
  ip: 255,
  userAgent: 4096,
  sessionId: 512,
  errorMessage: 65_536,
  errorCode: 1024,
  userId: 1024,
} as const;

/** Maximum length of a function's source code that the server accepts, in characters. */
export const MAX_SOURCE_LENGTH = 65_536;

/** Shortens a text to `max` characters, and marks the end of a shortened text. */
export function fitText<Text>(text: Text, max: number): Text | string {
  return typeof text === 'string' && text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

const HEAD_LENGTHS = { sessionId: MAX_LENGTHS.sessionId };
const REQUEST_LENGTHS = {
  method: MAX_LENGTHS.method,
  path: MAX_LENGTHS.path,
  route: MAX_LENGTHS.path,
  url: MAX_LENGTHS.url,
  ip: MAX_LENGTHS.ip,
  userAgent: MAX_LENGTHS.userAgent,
};
const ERROR_LENGTHS = { errorMessage: MAX_LENGTHS.errorMessage, errorCode: MAX_LENGTHS.errorCode };
const USER_LENGTHS = { id: MAX_LENGTHS.userId };
const FILE_LENGTHS = { file: MAX_LENGTHS.filePath };

/** Shortens the fields that are too long. Returns the same object if there are none, which is the usual case. */
export function fitFields<Fields extends object>(
  fields: Fields,
  lengths: { readonly [name in keyof Fields]?: number },
): Fields {
  let fitting = fields;
  for (const name in lengths) {
    const text = fields[name];
    const fit = fitText(text, lengths[name] ?? Infinity);
    if (fit !== text) fitting = { ...fitting, [name]: fit };
  }
  return fitting;
}

/**
 * Shortens the texts of a trace's head that the server would reject. Called after the redaction, because markers can be longer than the
 * secrets that they replace.
 */
export function fitHead(given: TraceHead): TraceHead {
  const head = fitFields(given, HEAD_LENGTHS);
  const request = fitFields(head.request, REQUEST_LENGTHS);
  const error = fitFields(head.error, ERROR_LENGTHS);
  const user = head.user && fitUser(head.user);
  const sources = head.sources && fitSources(head.sources);
  const fits =
    request === head.request && error === head.error && user === head.user && sources === head.sources;
  return fits ? head : { ...head, request, error, user, sources };
}

/** A redaction rule for the user's id turns the id into a marker, which is an object. The server accepts only text as an id. */
function fitUser(user: CapturedRecord): CapturedRecord {
  return fitFields(typeof user.id === 'object' ? { ...user, id: REDACTED_TEXT } : user, USER_LENGTHS);
}

/** Returns the same list if all files fit, which is the usual case: most traces contain no source code. */
function fitSources(sources: readonly WireSource[]): readonly WireSource[] {
  const fitting = sources.map(fitSource);
  return fitting.every((source, index) => source === sources[index]) ? sources : fitting;
}

/** Shortens a file's path as the paths of steps are shortened, so that they still match. Leaves out functions that are too long. */
function fitSource(source: WireSource): WireSource {
  const { functions } = source;
  const fitting = functions?.filter(({ text }) => text.length <= MAX_SOURCE_LENGTH);
  return fitFields(fitting === undefined ? source : { ...source, functions: fitting }, FILE_LENGTHS);
}
