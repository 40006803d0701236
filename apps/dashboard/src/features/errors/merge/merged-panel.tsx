import { Button } from '@mantine/core';
import type { ErrorDetail } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { TimeRange } from '../../../shell/time-range/time-range.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import classes from '../errors.module.css';
import { Panel } from '../panels/panel.tsx';
import { RequestsRow } from '../panels/requests-row.tsx';
import { useSplitError } from '../queries.ts';
import { buildIdsSearch } from '../search.ts';

interface MergedPanelProps {
  readonly projectId: string;
  readonly detail: ErrorDetail;
  readonly range: TimeRange;
}

/**
 * Lists the errors that were merged, with links to their requests. Each error except the shown error has a button that splits the error
 * off.
 */
export function MergedPanel({ projectId, detail: { error, parts }, range }: MergedPanelProps) {
  const split = useSplitError(projectId, error.id);
  if (parts.length === 0) return null;
  return (
    <Panel title="Merged errors">
      <ul className={classes.rows}>
        {parts.map(({ id, service, message, requestIds, count, lastSeen }) => {
          const name = escapeControlCharacters(message ?? 'No stored request has this error');
          return (
            <RequestsRow
              key={id}
              name={name}
              count={count}
              lastSeen={lastSeen}
              link={() => (
                <AnchorLink to="/dashboard" search={buildIdsSearch(projectId, requestIds, range)} size="sm">
                  {name}
                </AnchorLink>
              )}
              before={service !== null && service !== '' && `${escapeControlCharacters(service)} · `}
            >
              {id !== error.id && (
                <Button
                  size="compact-xs"
                  variant="default"
                  className={classes.end}
                  aria-label={`Split off ${name}`}
                  loading={split.isPending && split.variables === id}
                  onClick={() => split.mutate(id)}
                >
                  Split off
                </Button>
              )}
            </RequestsRow>
          );
        })}
      </ul>
    </Panel>
  );
}
