import { type ErrorDetail, formatCount } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { AnchorLink } from '../../ui/layout/links.tsx';
import classes from './errors.module.css';
import { buildSearch } from './search.ts';
import type { ShownRange } from './use-error-range.ts';

/** Maximum number of affected users whose ids are shown. */
const NAMED = 3;

interface AffectedUsersProps extends Pick<ErrorDetail, 'error' | 'people'> {
  readonly projectId: string;
  readonly range: ShownRange['range'];
}

/** Shows the number of affected users, and the ids of the users with the most failed requests. */
export function AffectedUsers({ projectId, error, people, range }: AffectedUsersProps) {
  if (error.users === 0) return 'not known';
  return (
    <span className={classes.users}>
      <span>{formatCount(error.users)}</span>
      {people.slice(0, NAMED).map(({ userId }) => (
        <AnchorLink
          key={userId}
          to="/dashboard"
          search={{ ...buildSearch(projectId, error, range), user: userId }}
          className={classes.user}
          inherit
        >
          {escapeControlCharacters(userId)}
        </AnchorLink>
      ))}
      {error.users > NAMED && <span className={classes.dim}>…</span>}
    </span>
  );
}
