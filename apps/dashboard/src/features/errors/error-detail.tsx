import { Group, Stack, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ErrorDetail, type ErrorGroup, formatCount, writeTerm } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { isNotThere } from '../../ui/feedback/not-there.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { StatusBadge } from '../../ui/layout/badges.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { FilterLinks } from '../trace-list/index.ts';
import { AffectedUsers } from './affected-users.tsx';
import { AssigneeSelect } from './assignee-select.tsx';
import { ErrorActions } from './error-actions.tsx';
import { describeError } from './error-list.tsx';
import { ErrorNote } from './error-note.tsx';
import classes from './errors.module.css';
import { MergeInto } from './merge/merge-into.tsx';
import { MergedPanel } from './merge/merged-panel.tsx';
import { ComparisonPanel } from './panels/comparison-panel.tsx';
import { Panel } from './panels/panel.tsx';
import { SameMessagePanel } from './panels/same-message-panel.tsx';
import { ThrowingPanel } from './panels/throwing-panel.tsx';
import { useErrorDetail } from './queries.ts';
import { buildSearch } from './search.ts';
import { StateBadge } from './state-badge.tsx';
import type { ShownRange } from './use-error-range.ts';

interface ErrorPageProps {
  readonly projectId: string;
  readonly errorId: string;
  readonly shown: ShownRange;
}

/** Page of one error: state, affected users, values that its requests share, and the requests. */
export function ErrorPage({ projectId, errorId, shown }: ErrorPageProps) {
  const query = useErrorDetail(projectId, errorId, shown.limits);
  return (
    <Stack gap="md">
      <AnchorLink
        to="."
        search={(before) => ({ ...before, error: undefined })}
        size="sm"
        className={classes.back}
      >
        <IconArrowLeft size={14} aria-hidden /> All errors
      </AnchorLink>
      {query.isPending && <RowsSkeleton what="error" rows={6} />}
      {query.isError &&
        (isNotThere(query.error) ? (
          <EmptyState title="No such error in this range">
            The error was not seen in this range, or its traces were deleted. Choose a longer range.
          </EmptyState>
        ) : (
          <ErrorNotice
            what="The error could not be loaded."
            error={query.error}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ))}
      {query.data !== undefined && <Detail projectId={projectId} detail={query.data} shown={shown} />}
    </Stack>
  );
}

function Detail({
  projectId,
  detail,
  shown,
}: {
  readonly projectId: string;
  readonly detail: ErrorDetail;
  readonly shown: ShownRange;
}) {
  const { range, limits } = shown;
  const { error, people, releases, traces, assignable } = detail;
  const message = escapeControlCharacters(error.message);
  return (
    <>
      <header className={classes.header}>
        <Title order={2} size="h3" className={classes.title}>
          {message}
        </Title>
        <div className={classes.place}>
          <StateBadge state={error.state} />
          <span className={classes.placeText}>{describeError(error)}</span>
        </div>
        <Decision error={error} />
        <Group gap="xs">
          <ErrorActions projectId={projectId} error={error} />
          <MergeInto projectId={projectId} error={error} range={limits} />
        </Group>
      </header>
      <dl className={classes.facts}>
        <Fact name="Requests">
          <AnchorLink to="/dashboard" search={buildSearch(projectId, error, range)} inherit>
            {formatCount(error.count)}
          </AnchorLink>
        </Fact>
        <Fact name="Users">
          <AffectedUsers projectId={projectId} error={error} people={people} range={range} />
        </Fact>
        <Fact name="First seen">
          <Timestamp at={error.firstSeen} />
          {error.firstRelease !== '' && ` in ${escapeControlCharacters(error.firstRelease)}`}
        </Fact>
        <Fact name="Last seen">
          <Timestamp at={error.lastSeen} />
          {error.lastRelease !== '' && ` in ${escapeControlCharacters(error.lastRelease)}`}
        </Fact>
        <Fact name="Assignee">
          <AssigneeSelect projectId={projectId} error={error} assignable={assignable} />
        </Fact>
      </dl>
      <ComparisonPanel projectId={projectId} error={error} shown={shown} />
      <SameMessagePanel sameMessage={detail.sameMessage} />
      <ThrowingPanel projectId={projectId} errorId={error.id} range={limits} />
      <Panel title="Newest requests">
        <ul className={`${classes.rows} ${classes.requestRows}`}>
          {traces.map(({ _id, request, response, error: failure, timing, userId }) => (
            <li key={_id}>
              <StatusBadge statusCode={response.statusCode} hasError={failure.hasError} />
              <AnchorLink
                to="/traces/$id"
                params={{ id: _id }}
                search={{ project: projectId }}
                className="mono"
                size="sm"
              >
                {escapeControlCharacters(`${request.method} ${request.path}`)}
              </AnchorLink>
              <span className={classes.dim}>
                <Timestamp at={timing.startTime} />
                {userId !== null && ` · user ${escapeControlCharacters(userId)}`}
              </span>
              <AnchorLink
                to="/traces/$id"
                params={{ id: _id }}
                search={{ project: projectId, compare: 'good' }}
                size="sm"
                className={classes.end}
              >
                Compare with a successful request
              </AnchorLink>
            </li>
          ))}
        </ul>
      </Panel>
      {people.length > 0 && (
        <Panel title="Affected users">
          <ul className={`${classes.rows} ${classes.countRows}`}>
            {people.map(({ userId, count, lastSeen }) => (
              <li key={userId}>
                <AnchorLink
                  to="/dashboard"
                  search={{ ...buildSearch(projectId, error, range), user: userId }}
                  size="sm"
                >
                  {escapeControlCharacters(userId)}
                </AnchorLink>
                <FilterLinks
                  of={{ value: userId, term: writeTerm('user', userId, false).text }}
                  search={buildSearch(projectId, error, range)}
                  only="out"
                  size={24}
                />
                <span className={classes.dim}>
                  {formatCount(count)} {count === 1 ? 'request' : 'requests'}, last{' '}
                  <Timestamp at={lastSeen} />
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {releases.length > 0 && (
        <Panel title="Releases">
          <ul className={`${classes.rows} ${classes.countRows}`}>
            {releases.map(({ release, count }) => (
              <li key={release}>
                <AnchorLink
                  to="/dashboard"
                  search={{ ...buildSearch(projectId, error, range), release }}
                  size="sm"
                >
                  {escapeControlCharacters(release)}
                </AnchorLink>
                <FilterLinks
                  of={{ value: release, term: writeTerm('release', release, false).text }}
                  search={buildSearch(projectId, error, range)}
                  only="out"
                  size={24}
                />
                <span className={classes.dim}>{formatCount(count)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <MergedPanel projectId={projectId} detail={detail} range={range} />
      <ErrorNote key={error.id} projectId={projectId} error={error} />
    </>
  );
}

/** Shows when and by whom an error was resolved or ignored, and whether the error occurred again since then. */
function Decision({ error: { state, changed, resolvedAfterRelease } }: { readonly error: ErrorGroup }) {
  if (changed === null) return null;
  const verb = state === 'ignored' ? 'Ignored' : 'Resolved';
  const release =
    resolvedAfterRelease === null
      ? ''
      : ` in the release after ${escapeControlCharacters(resolvedAfterRelease)}`;
  return (
    <p className={classes.dim}>
      {verb}
      {release} by {changed.by ?? 'a deleted user'} <Timestamp at={changed.at} />
      {state === 'reopened' && ', and seen again since'}
    </p>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
