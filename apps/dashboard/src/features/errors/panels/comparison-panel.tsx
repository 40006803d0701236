import { type ErrorComparison, type ErrorGroup, formatCount, formatCounted } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { LoadState } from '../../../ui/feedback/load-state.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { addQuery, DifferenceRow, FilterLinks } from '../../trace-list/index.ts';
import classes from '../errors.module.css';
import { useErrorComparison } from '../queries.ts';
import { buildSearch } from '../search.ts';
import type { ShownRange } from '../use-error-range.ts';
import { Panel } from './panel.tsx';

interface ComparisonPanelProps {
  readonly projectId: string;
  readonly error: ErrorGroup;
  readonly shown: ShownRange;
}

const SIDES = { inside: 'failing requests', outside: 'successful ones' } as const;

/**
 * Lists values that are more frequent in failing than in successful requests, each with a link to the failing requests that have the value.
 */
export function ComparisonPanel({ projectId, error, shown: { range, limits } }: ComparisonPanelProps) {
  const query = useErrorComparison(projectId, error.id, limits);
  return (
    <Panel title="What failing requests share">
      <LoadState query={query} what="comparison" failure="The comparison could not be loaded." rows={4} />
      {query.data !== undefined && (
        <Compared comparison={query.data} search={buildSearch(projectId, error, range)} />
      )}
    </Panel>
  );
}

interface ComparedProps {
  readonly comparison: ErrorComparison;
  /** URL parameters that limit the trace list to the requests with the error. */
  readonly search: ReturnType<typeof buildSearch>;
}

function Compared({ comparison: { matching, others, sampledOneIn, differences }, search }: ComparedProps) {
  return (
    <>
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
              actions={<FilterLinks of={difference} search={search} />}
              value={
                <AnchorLink
                  to="/dashboard"
                  search={{
                    ...search,
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
    </>
  );
}
