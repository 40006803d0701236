import { Button } from '@mantine/core';
import { type ErrorDetail, formatCounted } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { TimeRange } from '../../../shell/time-range/time-range.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import classes from '../errors.module.css';
import { Panel } from '../panel.tsx';
import { useSplitError } from '../queries.ts';
import { buildIdsSearch } from '../search.ts';

interface MergedPanelProps {
  readonly projectId: string;
  readonly detail: ErrorDetail;
  readonly range: TimeRange;
}

/** Lists the errors that were merged, with links to their requests. Each except the shown error has a button that splits it off. */
export function MergedPanel({ projectId, detail: { error, parts }, range }: MergedPanelProps) {
  const split = useSplitError(projectId, error.id);
  if (parts.length === 0) return null;
  return (
    <Panel title="Merged errors">
      <ul className={classes.rows}>
        {parts.map(({ id, service, message, requestIds, count, lastSeen }) => {
          const name = escapeControlCharacters(message ?? 'No stored request has this error');
          return (
            <li key={id}>
              {count === 0 ? (
                <span>{name}</span>
              ) : (
                <AnchorLink to="/dashboard" search={buildIdsSearch(projectId, requestIds, range)} size="sm">
                  {name}
                </AnchorLink>
              )}
              <span className={classes.dim}>
                {service !== null && service !== '' && `${escapeControlCharacters(service)} · `}
                {count === 0 ? 'No requests in this time range' : formatCounted(count, 'request')}
                {lastSeen !== null && (
                  <>
                    , last <Timestamp at={lastSeen} />
                  </>
                )}
              </span>
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
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
