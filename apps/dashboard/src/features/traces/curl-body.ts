import { type CapturedValue, isTagged } from '@throughline/contract';
import { escapeControlCharacters } from '../../visuals/values/escape-control-characters.ts';
import { type namer, type Piece, shellWord, splitAtRedacted } from './shell-word.ts';

type NameOf = ReturnType<typeof namer>;

/** A captured body as curl's options: text as it is, a form as a form, anything else as JSON. Empty where there was none. */
export function bodyWords(
  body: CapturedValue | undefined,
  contentType: string | undefined,
  nameOf: NameOf,
): string[] {
  if (body === undefined || body === null || body === '') return [];
  if (typeof body === 'object' && isTagged(body) && body.$type === 'undefined') return [];
  if (typeof body === 'string') return [data(splitAtRedacted(body, () => nameOf('REDACTED', 'body')))];
  if (contentType?.startsWith('multipart/') === true)
    return [data([{ variable: nameOf('MISSING', 'body') }])];
  if (contentType?.startsWith('application/x-www-form-urlencoded') === true && isPlainObject(body)) {
    return [data(formPieces(body, nameOf))];
  }
  const json = data(jsonPieces(body, 'body', nameOf));
  return contentType === undefined ? ["-H 'content-type: application/json'", json] : [json];
}

/** Never read from a file, as curl's `--data` would with a first `@`. */
function data(pieces: readonly Piece[]): string {
  return `--data-raw ${shellWord(pieces)}`;
}

type Plain = { readonly [key: string]: CapturedValue };

function isPlainObject(value: CapturedValue): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isTagged(value);
}

function formPieces(form: Plain, nameOf: NameOf): Piece[] {
  const fields = Object.entries(form).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((each: CapturedValue) => [key, each] as const),
  );
  return fields.flatMap(([key, value], index): Piece[] => {
    const start = `${index === 0 ? '' : '&'}${encodeField(key)}=`;
    if (typeof value === 'object' && value !== null)
      return [{ text: start }, { variable: variableOf(value, key, nameOf) }];
    const pieces = splitAtRedacted(String(value ?? ''), () => nameOf('REDACTED', key));
    return [
      { text: start },
      ...pieces.map((piece) => ('text' in piece ? { text: encodeField(piece.text) } : piece)),
    ];
  });
}

function encodeField(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function variableOf(value: CapturedValue, key: string, nameOf: NameOf): string {
  const redacted =
    typeof value === 'object' && value !== null && isTagged(value) && value.$type === 'redacted';
  return nameOf(redacted ? 'REDACTED' : 'MISSING', key);
}

/** JSON with variables where values were taken out or cut. Captures are a few levels deep, so recursion ends. */
function jsonPieces(value: CapturedValue, key: string, nameOf: NameOf): Piece[] {
  if (typeof value === 'string') {
    const pieces = splitAtRedacted(value, () => nameOf('REDACTED', key));
    const inside = pieces.map((piece) =>
      'text' in piece ? { text: jsonText(piece.text).slice(1, -1) } : piece,
    );
    return [{ text: '"' }, ...inside, { text: '"' }];
  }
  if (typeof value !== 'object' || value === null) return [{ text: JSON.stringify(value) }];
  if (Array.isArray(value)) {
    return wrapped(
      '[',
      value.map((item: CapturedValue) => jsonPieces(item, key, nameOf)),
      ']',
    );
  }
  if (isTagged(value)) {
    const variable = { variable: variableOf(value, key, nameOf) };
    const isText = (value.$type === 'redacted' && value.of === 'string') || value.$type === 'string';
    return isText ? [{ text: '"' }, variable, { text: '"' }] : [variable];
  }
  if (!isPlainObject(value)) return [{ variable: variableOf(value, key, nameOf) }];
  const members = Object.entries(value).map(([name, member]): Piece[] => [
    { text: `${jsonText(name)}:` },
    ...jsonPieces(member, name, nameOf),
  ]);
  return wrapped('{', members, '}');
}

/** JSON in which characters that a terminal acts on are escaped. */
function jsonText(text: string): string {
  return escapeControlCharacters(JSON.stringify(text));
}

function wrapped(open: string, parts: readonly (readonly Piece[])[], close: string): Piece[] {
  const inside = parts.flatMap((part, index): readonly Piece[] =>
    index === 0 ? part : [{ text: ',' }, ...part],
  );
  return [{ text: open }, ...inside, { text: close }];
}
