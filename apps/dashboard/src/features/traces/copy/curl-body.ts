import { type CapturedValue, isTagged } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { type createNamer, type Piece, splitAtRedacted } from './shell-word.ts';

type NameVariable = ReturnType<typeof createNamer>;

/** The body that a curl command sends, as strings and shell variables. */
export interface CurlBody {
  readonly pieces: readonly Piece[];
  /** True if the body is sent as JSON, but the request had no content-type header. */
  readonly isUndeclaredJson: boolean;
}

/**
 * Converts a captured body: a string stays unchanged, form fields are form-encoded, and any other value becomes JSON. A multipart,
 * truncated or missing body becomes a shell variable. Returns undefined if the request had no body.
 */
export function buildCurlBody(
  body: CapturedValue | undefined,
  contentType: string | undefined,
  had: boolean,
  nameVariable: NameVariable,
): CurlBody | undefined {
  const of = (pieces: readonly Piece[], isUndeclaredJson = false) => ({ pieces, isUndeclaredJson });
  const missing = () => of([{ variable: nameVariable('MISSING', 'body') }]);
  if (body === undefined) return had ? missing() : undefined;
  if (body === null || body === '') return undefined;
  if (typeof body === 'string') return of(splitAtRedacted(body, () => nameVariable('REDACTED', 'body')));
  if (isTagged(body) && body.$type === 'undefined') return undefined;
  if (isTagged(body) && (body.$type === 'string' || body.$type === 'cut')) return missing();
  if (contentType?.startsWith('multipart/') === true) return missing();
  if (contentType?.startsWith('application/x-www-form-urlencoded') === true && isPlainObject(body))
    return of(encodeForm(body, nameVariable));
  return of(encodeJson(body, 'body', nameVariable), contentType === undefined);
}

type Plain = { readonly [key: string]: CapturedValue };

function isPlainObject(value: CapturedValue): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isTagged(value);
}

function encodeForm(form: Plain, nameVariable: NameVariable): Piece[] {
  const fields = Object.entries(form).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((each: CapturedValue) => [key, each] as const),
  );
  return fields.flatMap(([key, value], index): Piece[] => {
    const start = `${index === 0 ? '' : '&'}${encodeField(key)}=`;
    if (typeof value === 'object' && value !== null)
      return [{ text: start }, { variable: nameMissingValue(value, key, nameVariable) }];
    const pieces = splitAtRedacted(String(value ?? ''), () => nameVariable('REDACTED', key));
    return [
      { text: start },
      ...pieces.map((piece) => ('text' in piece ? { text: encodeField(piece.text) } : piece)),
    ];
  });
}

function encodeField(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function nameMissingValue(value: CapturedValue, key: string, nameVariable: NameVariable): string {
  const redacted =
    typeof value === 'object' && value !== null && isTagged(value) && value.$type === 'redacted';
  return nameVariable(redacted ? 'REDACTED' : 'MISSING', key);
}

/** Converts a value to JSON with variables for redacted or truncated values. Recursive, since captures are only a few levels deep. */
function encodeJson(value: CapturedValue, key: string, nameVariable: NameVariable): Piece[] {
  if (typeof value === 'string') {
    const pieces = splitAtRedacted(value, () => nameVariable('REDACTED', key));
    const inside = pieces.map((piece) =>
      'text' in piece ? { text: escapeJson(piece.text).slice(1, -1) } : piece,
    );
    return [{ text: '"' }, ...inside, { text: '"' }];
  }
  if (typeof value !== 'object' || value === null) return [{ text: JSON.stringify(value) }];
  if (Array.isArray(value)) {
    return wrapPieces(
      '[',
      value.map((item: CapturedValue) => encodeJson(item, key, nameVariable)),
      ']',
    );
  }
  if (isTagged(value)) {
    const variable = { variable: nameMissingValue(value, key, nameVariable) };
    const isText = (value.$type === 'redacted' && value.of === 'string') || value.$type === 'string';
    return isText ? [{ text: '"' }, variable, { text: '"' }] : [variable];
  }
  if (!isPlainObject(value)) return [{ variable: nameMissingValue(value, key, nameVariable) }];
  const members = Object.entries(value).map(([name, member]): Piece[] => [
    { text: `${escapeJson(name)}:` },
    ...encodeJson(member, name, nameVariable),
  ]);
  return wrapPieces('{', members, '}');
}

/** Formats a string as JSON, with escapes for all characters that a terminal would interpret. */
function escapeJson(text: string): string {
  return escapeControlCharacters(JSON.stringify(text));
}

function wrapPieces(open: string, parts: readonly (readonly Piece[])[], close: string): Piece[] {
  const inside = parts.flatMap((part, index): readonly Piece[] =>
    index === 0 ? part : [{ text: ',' }, ...part],
  );
  return [{ text: open }, ...inside, { text: close }];
}
