import { escapeControlCharactersInLines } from '@throughline/contract/captured';
import { useEffect, useMemo, useState } from 'react';
import classes from './sql-text.module.css';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

/** Colours for more than this help nobody. UTF-16 units. */
const COLOURED_UP_TO = 20_000;

/** A query laid out and coloured. What lays it out is loaded when there is one to show; until then it stands as it was sent. */
export function SqlText({ text }: { readonly text: string }) {
  const formatted = escapeControlCharactersInLines(useFormatted(text));
  const tokens = useMemo<readonly SqlToken[]>(
    () => (formatted.length > COLOURED_UP_TO ? [{ kind: 'other', text: formatted }] : sqlTokens(formatted)),
    [formatted],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={classes.sql} tabIndex={0}>
      <code>
        {tokens.map(({ kind, text: piece }, index) =>
          kind === 'other' ? (
            piece
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and stay where they are
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
      // Without what lays it out it is read as it was sent.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [text]);
  return formatted?.of === text ? formatted.text : text;
}
