import type { CapturedValue } from '@throughline/contract';
import { classifyValue, listParts } from '@throughline/contract/captured';
import type { RawSteps } from './raw-steps.ts';
import { type Container, isContainer } from './visit-parts.ts';

export type Target =
  /** `name` is set if the value is too short to be searched for without its name. */
  | { readonly kind: 'text' | 'number'; readonly text: string; readonly name: string | undefined }
  | { readonly kind: 'date'; readonly text: string }
  /** Searches for the object itself; with `byContent`, also for an object with equal content. */
  | { readonly kind: 'object'; readonly value: Container; readonly byContent: boolean };

export interface Refusal {
  readonly kind: 'refused';
  readonly reason: 'too_common' | 'not_captured';
  readonly text: string;
}

const MIN_TEXT = 4;
/** Minimum length of a string that is searched for under its own name. For a search without the name, MIN_TEXT applies. */
const MIN_NAMED_TEXT = 2;
const MIN_DIGITS = 3;
/**
 * The content of an object is distinctive if at least this number of its values are distinctive, or if it has at least `MIN_PARTS` values
 * and one of them is distinctive.
 */
const MIN_DISTINCTIVE = 2;
const MIN_PARTS = 3;
/** Maximum number of an object's values that are read to decide if the content is distinctive. */
const MAX_JUDGED = 1000;

/** Strings that occur in many requests for unrelated reasons. Compared in lower case. */
const COMMON_TEXTS: ReadonlySet<string> = new Set(
  `true false null undefined none nan default other unknown empty
  get put post head patch delete options http https localhost 127.0.0.1
  utf8 utf-8 base64 binary ascii latin1 hex json text html gzip deflate
  string number boolean object array function symbol date error buffer
  name type value values code status state data list item items page size limit offset order sort asc desc
  open close closed active inactive enabled disabled pending done success failed failure message info warn debug
  keep-alive no-cache application/json text/html text/plain
  development production staging test main index user users admin guest auto left right start stop begin create
  read write update insert select node express fastify`.split(/\s+/),
);

const COMMON_NUMBERS: ReadonlySet<number> = new Set([
  0.1, 0.5, 1.5, 128, 201, 202, 204, 206, 255, 256, 301, 302, 303, 304, 307, 308, 360, 365, 401, 403, 404,
  405, 409, 410, 412, 413, 415, 422, 429, 443, 502, 503, 504, 512, 1023, 1024, 1440, 2048, 3001, 3600, 4096,
  5432, 6379, 8080, 8192, 8443, 16384, 32768, 65535, 65536, 86400,
]);

/** Names that do not describe their value. */
const COMMON_NAMES: ReadonlySet<string> = new Set(
  'id key name type value code status state text data result item x y i j k n a b'.split(' '),
);

/** Decides how to search for a value. `name` is the value's name in its position. */
export function chooseTarget(
  value: CapturedValue,
  name: string | undefined,
  steps: RawSteps,
): Target | Refusal {
  const shape = classifyValue(value);
  if (shape.kind === 'simple') return chooseSimple(shape.value, name);
  if (shape.kind !== 'form') return chooseObject(value, steps);
  const { form } = shape;
  switch (form.$type) {
    case 'redacted':
      return refuse('not_captured', 'This value was redacted. Its origin cannot be traced.');
    case 'cut':
    case 'accessor':
    case 'proxy':
      return refuse('not_captured', 'This value was not recorded. Its origin cannot be traced.');
    case 'reference':
      return refuse(
        'not_captured',
        'This value is recorded at another step that is missing. Its origin cannot be traced.',
      );
    case 'string':
      return refuse(
        'not_captured',
        'Only the beginning of this text was recorded. Its origin cannot be traced.',
      );
    case 'bigint':
      return chooseNumber(Number(form.value), form.value, name);
    case 'Date':
      return form.value === null ? refuseTooCommon() : { kind: 'date', text: form.value };
    case 'object':
    case 'array':
    case 'Map':
    case 'Set':
    case 'Error':
      return chooseObject(value, steps);
    case 'undefined':
    case 'number':
    case 'hole':
      return refuseTooCommon();
    default:
      return refuse('not_captured', 'The origin of values of this type cannot be traced.');
  }
}

function chooseSimple(value: null | boolean | number | string, name: string | undefined): Target | Refusal {
  if (typeof value === 'number') return chooseNumber(value, String(value), name);
  if (typeof value !== 'string') return refuseTooCommon();
  if (isDistinctiveText(value)) return { kind: 'text', text: value, name: undefined };
  const isNamed = name !== undefined && !COMMON_NAMES.has(name.toLowerCase());
  const isShort = value.length >= MIN_NAMED_TEXT && value.length < MIN_TEXT;
  if (isNamed && isShort && !isCommonText(value) && /\p{L}/u.test(value))
    return { kind: 'text', text: value, name };
  return isIdName(name) && /^\d+$/.test(value) ? { kind: 'text', text: value, name } : refuseTooCommon();
}

/** A number that is not distinctive, such as 7, is searched for only if it is whole and has the name of an id. */
function chooseNumber(value: number, text: string, name: string | undefined): Target | Refusal {
  if (isDistinctiveNumber(value)) return { kind: 'number', text, name: undefined };
  return isIdName(name) && /^\d+$/.test(text) ? { kind: 'number', text, name } : refuseTooCommon();
}

/** True for a name that shows what the id identifies, such as `productId`. */
function isIdName(name: string | undefined): name is string {
  return name !== undefined && /[a-z](?:Id|ID|_id)$/.test(name);
}

/** Decides how to search for an object: for the object itself and, if its content is distinctive, also for objects with equal content. */
function chooseObject(value: CapturedValue, steps: RawSteps): Target | Refusal {
  if (!isContainer(value)) return refuseTooCommon();
  return { kind: 'object', value, byContent: isContentDistinctive(value, steps) };
}

function isContentDistinctive(value: CapturedValue, steps: RawSteps): boolean {
  let [parts, distinctive] = [0, 0];
  // The loop is limited, because an object can contain itself, and can refer to large objects many times.
  const pending = [value];
  for (let looked = 0; looked < MAX_JUDGED; looked += 1) {
    const next = pending.pop();
    if (next === undefined) break;
    const at = steps.follow(next);
    const shape = classifyValue(at);
    const { children } = listParts(at);
    for (const child of children.slice(0, MAX_JUDGED)) pending.push(child.value);
    if (children.length > 0) continue;
    parts += 1;
    if (shape.kind === 'simple' && isDistinctive(shape.value)) distinctive += 1;
    if (shape.kind === 'form' && (shape.form.$type === 'Date' || shape.form.$type === 'bigint'))
      distinctive += 1;
  }
  return distinctive >= MIN_DISTINCTIVE || (distinctive >= 1 && parts >= MIN_PARTS);
}

function isDistinctive(value: null | boolean | number | string): boolean {
  return typeof value === 'string'
    ? isDistinctiveText(value)
    : typeof value === 'number' && isDistinctiveNumber(value);
}

function isDistinctiveText(text: string): boolean {
  if (text.trim().length < MIN_TEXT || isCommonText(text)) return false;
  const asNumber = Number(text);
  return Number.isNaN(asNumber) || isDistinctiveNumber(asNumber);
}

function isCommonText(text: string): boolean {
  return COMMON_TEXTS.has(text.trim().toLowerCase());
}

function isDistinctiveNumber(value: number): boolean {
  if (!Number.isFinite(value) || COMMON_NUMBERS.has(Math.abs(value))) return false;
  if (!Number.isInteger(value)) return true;
  const digits = String(Math.abs(value));
  // Round numbers, such as 100, 2000 and 30000, are typically limits, sizes and times.
  return digits.length >= MIN_DIGITS && !/^\d0+$/.test(digits);
}

export function refuseTooCommon(): Refusal {
  return refuse('too_common', 'Too common to follow: other steps can have the same value by chance.');
}

function refuse(reason: Refusal['reason'], text: string): Refusal {
  return { kind: 'refused', reason, text };
}
