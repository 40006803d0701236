import { escapeControlCharacters } from '@throughline/contract/captured';

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
        <span key={key}>{part}</span>
      );
    });
}
