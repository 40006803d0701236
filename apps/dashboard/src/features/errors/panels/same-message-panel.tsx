import { type ErrorDetail, formatThrownBy } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import classes from '../errors.module.css';
import { Panel } from './panel.tsx';
import { RequestsRow } from './requests-row.tsx';

/**
 * Lists the other errors with the same message: they were thrown by another function, or by the same function with another error type. An
 * error without requests in the page's range has no link, because its page would be empty.
 */
export function SameMessagePanel({ sameMessage }: Pick<ErrorDetail, 'sameMessage'>) {
  if (sameMessage.length === 0) return null;
  return (
    <Panel title="Same message in other functions">
      <ul className={classes.rows}>
        {sameMessage.map(({ id, thrownBy, count, lastSeen }) => {
          const name =
            thrownBy === null ? 'Function not known' : escapeControlCharacters(formatThrownBy(thrownBy));
          return (
            <RequestsRow
              key={`${id} ${name}`}
              name={name}
              count={count}
              lastSeen={lastSeen}
              link={() => (
                <AnchorLink to="." search={(before) => ({ ...before, error: id })} size="sm">
                  {name}
                </AnchorLink>
              )}
            />
          );
        })}
      </ul>
    </Panel>
  );
}
