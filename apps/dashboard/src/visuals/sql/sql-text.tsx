import { escapeControlCharactersInLines } from '@throughline/contract/captured';
import { useEffect, useMemo, useState } from 'react';
import classes from './sql-text.module.css';
import { type SqlToken, splitSql } from './sql-tokens.ts';

/** Maximum length of a query that is coloured, in UTF-16 units. */
const COLOURED_UP_TO = 20_000;

/** Shows a query formatted and coloured. The formatter is loaded on first use; until then the query is shown as it was sent. */
export function SqlText({ text }: { readonly text: string }) {
  const formatted = escapeControlCharactersInLines(useFormatted(text));
  const tokens = useMemo<readonly SqlToken[]>(
    () => (formatted.length > COLOURED_UP_TO ? [{ kind: 'other', text: formatted }] : splitSql(formatted)),
    [formatted],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard
    <pre className={classes.sql} tabIndex={0}>
      <code>
        {tokens.map(({ kind, text: piece }, index) =>
          kind === 'other' ? (
            piece
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no ids and keep their order
            <span key={index} className={classes[kind]}>
              {piece}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}

function useFormatted(text: string): string {
  const [formatted, setFormatted] = useState<{ readonly of: string; readonly text: string }>();
  useEffect(() => {
    let wanted = true;
    import('./format-sql.ts').then(
      ({ formatSql }) => {
        if (wanted) setFormatted({ of: text, text: formatSql(text) });
      },
      // If the formatter cannot be loaded, the query is shown as it was sent.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [text]);
  return formatted?.of === text ? formatted.text : text;
}
