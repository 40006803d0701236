import { type ErrorComparison, type ErrorGroup, formatCount, formatCounted } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { TimeRange } from '../../../shell/time-range/time-range.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { addQuery, DifferenceRow, FilterLinks } from '../../trace-list/index.ts';
import classes from '../errors.module.css';
import { buildSearch } from '../search.ts';
import { Panel } from './panel.tsx';

interface ComparisonPanelProps {
  readonly projectId: string;
  readonly error: ErrorGroup;
  readonly shared: ErrorComparison;
  readonly range: TimeRange;
}

const SIDES = { inside: 'failing requests', outside: 'successful ones' } as const;

/**
 * Lists values that are more frequent in failing than in successful requests, each with a link to the failing requests that have the value.
 */
export function ComparisonPanel({ projectId, error, shared, range }: ComparisonPanelProps) {
  const { matching, others, sampledOneIn, differences } = shared;
  return (
    <Panel title="What failing requests share">
      <p className={classes.dim}>
        {formatCounted(matching, 'failing request')} compared with{' '}
        {formatCounted(others, 'successful request')} to the same endpoints
        {sampledOneIn > 1 && `. The counts are estimates from one in ${formatCount(sampledOneIn)} requests`}.
        {differences.length === 0 && ' No value is significantly more frequent in failing requests.'}
      </p>
      {differences.length > 0 && (
        <ol className={classes.differences}>
          {differences.map((difference) => (
            <DifferenceRow
              key={difference.term}
              difference={difference}
              sides={SIDES}
              actions={<FilterLinks of={difference} search={buildSearch(projectId, error, range)} />}
              value={
                <AnchorLink
                  to="/dashboard"
                  search={{
                    ...buildSearch(projectId, error, range),
                    ...addQuery({}, difference.term).change,
                  }}
                  inherit
                >
                  {escapeControlCharacters(difference.value)}
                </AnchorLink>
              }
            />
          ))}
        </ol>
      )}
    </Panel>
  );
}
