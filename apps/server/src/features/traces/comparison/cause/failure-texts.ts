import { listParts } from '@throughline/contract/captured';
import { isFailed, type StoredTrace } from '../../store.ts';
import { parseValue } from '../good-request/choose-good-request.ts';

/** Maximum numbers of texts and of values that are read from a response, and the maximum length of a text. */
const LIMITS = { texts: 20, characters: 500, values: 200 } as const;
/** Shorter texts, such as codes, do not explain a failure. */
const MIN_CHARACTERS = 8;

/**
 * Returns the texts that say why a request failed: the message of the request's error, and texts in the response. Leaves out short and long
 * texts. Returns an empty list if the request succeeded.
 */
export function listFailureTexts(trace: StoredTrace): readonly string[] {
  if (!isFailed(trace)) return [];
  const texts = [trace.message, ...listResponseTexts(trace.response_body)];
  return texts.filter((text) => text.length >= MIN_CHARACTERS && text.length <= LIMITS.characters);
}

function listResponseTexts(body: string | undefined): string[] {
  const whole = parseValue(body ?? '');
  const pending = whole === undefined ? [] : [whole];
  const texts: string[] = [];
  for (let read = 0; read < LIMITS.values && texts.length < LIMITS.texts; read += 1) {
    const value = pending.shift();
    if (value === undefined) break;
    if (typeof value === 'string') texts.push(value);
    pending.push(...listParts(value).children.map((child) => child.value));
  }
  return texts;
}

/** True if `text` contains the number or string `value` as a separate word. */
export function isQuotedIn(value: unknown, text: string): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const word = String(value);
  if (word.trim() === '' || word.length >= text.length) return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
    if (!/[\p{L}\p{N}_]$|\d\.$|-$/u.test(before) && !/^[\p{L}\p{N}_]|^\.\d/u.test(after)) return true;
  }
  return false;
}
