import { escapeControlCharacters } from '@throughline/contract/captured';

/** A sentence of the server, whose names of code stand between backticks. */
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
