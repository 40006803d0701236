import type { CapturedValue, Trace } from '@throughline/contract';
import { hasRequestBody } from '../parts/missing-part.ts';
import { buildCurlBody, type CurlBody } from './curl-body.ts';
import { createNamer, type Piece, splitAtRedacted, writeShellWord } from './shell-word.ts';

type CurlRequest = Pick<Trace['request'], 'method' | 'path' | 'url' | 'headers' | 'body'>;

/** Headers that curl sets itself, or that apply to a single connection. Lower case. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
]);
/** A valid field name (RFC 9110, 5.1). Any other name was sent by a custom client, and `@name` would make curl read a file. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/**
 * Converts a captured request to a curl command for shells that support `$'…'`, such as bash and zsh. The command is safe to paste:
 * its only control characters are the line ends between options. Redacted and incompletely captured values become shell variables
 * (`REDACTED_AUTHORIZATION`, `MISSING_BODY`). If a variable is not set, the shell reports its name and sends nothing.
 */
export function buildCurlText(request: CurlRequest): string {
  return buildCurlCommand(request, Number.POSITIVE_INFINITY).text;
}

/** The file from which a command reads its body. */
export const BODY_FILE = 'request-body.txt';

/** A curl command, and the content of {@link BODY_FILE} if the command reads its body from this file. */
export interface CurlCommand {
  readonly text: string;
  readonly bodyFile: string | undefined;
}

/** Like {@link buildCurlText}, but a body of more characters than `inlineUpTo` is read from a file. */
export function buildCurlCommand(request: CurlRequest, inlineUpTo: number): CurlCommand {
  const nameVariable = createNamer();
  const had = hasRequestBody(request) === true;
  const captured = buildCurlBody(
    request.body,
    readHeader(request.headers, 'content-type'),
    had,
    nameVariable,
  );
  const { words: body, bodyFile } = buildBodyWords(captured, inlineUpTo);
  const url = buildAddress(request, nameVariable);
  const plainUrl = url.map((piece) => ('text' in piece ? piece.text : '')).join('');
  const words = ['curl', ...buildMethodWords(request.method, body.length > 0)];
  // Brackets and dots in a path belong to the request: curl must not expand or normalize them.
  if (/[[\]{}]/.test(plainUrl)) words.push('--globoff');
  if (/\/\.{1,2}(?:[/?]|$)/.test(plainUrl)) words.push('--path-as-is');
  if (readHeader(request.headers, 'accept-encoding') !== undefined) words.push('--compressed');
  words.push(writeShellWord(url));
  const text = [words.join(' '), ...buildHeaderWords(request.headers, nameVariable), ...body].join(' \\\n  ');
  return { text, bodyFile };
}

/** Lists the variables of a command that the user must set. */
export function listVariables(command: string): string[] {
  return [...command.matchAll(/"\$\{((?:REDACTED|MISSING)_[A-Z0-9_]+):\?\}"/g)].map(([, name = '']) => name);
}

function buildBodyWords(
  body: CurlBody | undefined,
  inlineUpTo: number,
): { readonly words: readonly string[]; readonly bodyFile: string | undefined } {
  if (body === undefined) return { words: [], bodyFile: undefined };
  const type = body.isUndeclaredJson ? ["-H 'content-type: application/json'"] : [];
  const text = body.pieces.map((piece) => ('text' in piece ? piece.text : `\${${piece.variable}}`)).join('');
  // `--data` is not used, because it would read a file if the body begins with `@`.
  return text.length <= inlineUpTo
    ? { words: [...type, `--data-raw ${writeShellWord(body.pieces)}`], bodyFile: undefined }
    : { words: [...type, `--data-binary @${BODY_FILE}`], bodyFile: text };
}

function buildMethodWords(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === 'GET' && !hasBody ? [] : ['-X', writeShellWord([{ text: method }])];
}

function readHeader(headers: CurlRequest['headers'], name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

/** Returns the full URL. A URL without a host gets the request's `host` header. */
function buildAddress(request: CurlRequest, nameVariable: ReturnType<typeof createNamer>): Piece[] {
  const target = request.url ?? request.path;
  const absolute = /^https?:\/\//i.test(target);
  const host = readHeader(request.headers, 'host');
  const start: Piece[] = absolute
    ? []
    : [
        { text: 'http://' },
        ...(host === undefined || host === ''
          ? [{ variable: nameVariable('MISSING', 'host') }]
          : splitAtRedacted(host, () => nameVariable('REDACTED', 'host'))),
      ];
  const rest = absolute || target.startsWith('/') ? target : `/${target}`;
  const pieces = splitAtRedacted(rest, (before) =>
    nameVariable('REDACTED', /[?&]([^=&?]+)=$/.exec(before)?.[1] ?? 'url'),
  );
  return [...start, ...pieces.map((piece) => ('text' in piece ? { text: encodeRest(piece.text) } : piece))];
}

/** Percent-encodes the characters that a URL cannot contain. Existing percent codes stay unchanged. */
function encodeRest(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
}

function buildHeaderWords(
  headers: CurlRequest['headers'],
  nameVariable: ReturnType<typeof createNamer>,
): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (NOT_REPEATED.has(name.toLowerCase()) || !FIELD_NAME.test(name)) return [];
    const values = Array.isArray(value) ? value : [value];
    return values.map((each) => `-H ${writeShellWord(buildHeaderPieces(name, each, nameVariable))}`);
  });
}

function buildHeaderPieces(
  name: string,
  value: CapturedValue,
  nameVariable: ReturnType<typeof createNamer>,
): Piece[] {
  // For an empty header, curl needs `name;`: with `name:`, curl would omit the header.
  if (value === '') return [{ text: `${name};` }];
  if (typeof value !== 'string') {
    const redacted =
      typeof value === 'object' && value !== null && '$type' in value && value.$type === 'redacted';
    return [{ text: `${name}: ` }, { variable: nameVariable(redacted ? 'REDACTED' : 'MISSING', name) }];
  }
  const oneLine = value.replace(/[\r\n\0]+/g, ' ');
  return [{ text: `${name}: ` }, ...splitAtRedacted(oneLine, () => nameVariable('REDACTED', name))];
}
