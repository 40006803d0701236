import { type ErrorDetail, formatCounted } from '@throughline/contract';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { writeThrownBy } from './error-list.tsx';
import classes from './errors.module.css';
import { Panel } from './panel.tsx';

/**
 * Lists the errors in which other functions throw the same message, or the same function as another type. An error without requests in the
 * page's range has no link, because its page would show no requests.
 */
export function SameMessagePanel({ sameMessage }: Pick<ErrorDetail, 'sameMessage'>) {
  if (sameMessage.length === 0) return null;
  return (
    <Panel title="Same message in other functions">
      <ul className={classes.rows}>
        {sameMessage.map(({ id, thrownBy, count, lastSeen }) => {
          const name = thrownBy === null ? 'Function not known' : writeThrownBy(thrownBy);
          return (
            <li key={`${id} ${name}`}>
              {count === 0 ? (
                <span>{name}</span>
              ) : (
                <AnchorLink to="." search={(before) => ({ ...before, error: id })} size="sm">
                  {name}
                </AnchorLink>
              )}
              <span className={classes.dim}>
                {count === 0 ? 'No requests in this time range' : formatCounted(count, 'request')}, last{' '}
                <Timestamp at={lastSeen} />
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
