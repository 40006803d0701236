import { escapeControlCharacters } from '@throughline/contract/captured';

/** Keeps each number on one line with its unit. */
const keepUnits = (text: string) =>
  text.replaceAll(/(\d) (?=(?:%|µs|ms|s|min|h|d|B|kB|MB|GB)(?![\w]))/g, '$1\u00a0');

/** Shows a sentence from the server, with code names in backticks formatted as code. */
export function CodeText({ text }: { readonly text: string }) {
  return escapeControlCharacters(text)
    .split('`')
    .map((part, at) => {
      const key = `${at} ${part}`;
      return at % 2 === 1 ? (
        <code key={key} className="mono">
          {part}
        </code>
      ) : (
        <span key={key}>{keepUnits(part)}</span>
      );
    });
}
