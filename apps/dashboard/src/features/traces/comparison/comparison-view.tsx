import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatDuration, type TraceComparison } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMemo, useState } from 'react';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { copyText } from '../../../ui/copying/copy-text.ts';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { notifyFailure } from '../../../ui/feedback/notify-failure.tsx';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { decideThrownAs } from '../../../visuals/steps/step-outcome.ts';
import { buildComparisonOptions, type LoadedTrace } from '../data/queries.ts';
import { useTraceAddress } from '../data/use-trace-address.ts';
import { SplitPane } from '../page/split-pane.tsx';
import { CodeText } from '../parts/code-text.tsx';
import { ComparedList } from './compared-list.tsx';
import { buildKey, type ComparedRow, listComparedRows } from './compared-rows.ts';
import { ComparedValues } from './compared-values.tsx';
import classes from './comparison.module.css';
import { writeComparisonMarkdown } from './comparison-markdown.ts';
import { listEqualBranches, listShownRows, type ShownRow, unfoldAbove } from './folded-rows.ts';

interface ComparisonViewProps {
  readonly loaded: LoadedTrace;
  /**
   * The other trace's `_id`; or `good` for the most similar successful request, and `before` for the most similar request of the previous
   * release.
   */
  readonly other: string;
}

/**
 * Compares a trace with another: at most three sentences about the differences, the calls of both, and the differing values of the selected
 * call.
 */
export function ComparisonView({ loaded, other }: ComparisonViewProps) {
  const query = useQuery(buildComparisonOptions(loaded.trace._id, other));
  const change = useChangeView();
  const close = (
    <Button size="compact-sm" variant="default" onClick={() => change({ compare: undefined })}>
      End comparison
    </Button>
  );
  if (query.isPending) {
    return (
      <div className={classes.alone}>
        {close}
        <div className={classes.waiting}>
          <RowsSkeleton what="comparison" rows={8} />
        </div>
      </div>
    );
  }
  if (query.isError) {
    return (
      <div className={classes.alone}>
        <ErrorNotice
          what="The requests could not be compared."
          error={query.error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
        {close}
      </div>
    );
  }
  if (query.data === null) {
    return (
      <div className={classes.alone}>
        <p>
          {other === 'before'
            ? 'There is no request to compare with: no request to this endpoint succeeded in an earlier release within a week before.'
            : 'There is no request to compare with: no other request to this endpoint succeeded within a week before or a day after.'}
        </p>
        <OtherChoice loaded={loaded} other={other} />
        {close}
      </div>
    );
  }
  const { data } = query;
  return <Compared key={data.other._id} loaded={loaded} other={other} comparison={data} close={close} />;
}

/**
 * Button that switches between the most similar successful request (`good`) and the most similar request of the previous release
 * (`before`). Renders nothing if the service reports no release.
 */
function OtherChoice({ loaded, other }: ComparisonViewProps) {
  const change = useChangeView();
  const { release } = loaded.trace;
  if (release === '') return null;
  const isBefore = other === 'before';
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => change({ compare: isBefore ? 'good' : 'before' })}
    >
      {isBefore ? 'Nearest successful request' : `Before release ${escapeControlCharacters(release)}`}
    </Button>
  );
}

interface ComparedProps extends ComparisonViewProps {
  readonly comparison: TraceComparison;
  readonly close: React.ReactNode;
}

const NONE: ReadonlySet<string> = new Set();

function Compared({ loaded, other, comparison, close }: ComparedProps) {
  const { step: wanted } = useViewParams();
  const change = useChangeView();
  const rows = useMemo(() => listComparedRows(comparison.steps), [comparison]);
  // If the values of the calls were not compared, it is unknown which calls are equal, so no branch counts as equal.
  const equal = useMemo(
    () => (comparison.valuesRead === 'compared' ? listEqualBranches(rows) : NONE),
    [rows, comparison],
  );
  const [folded, setFolded] = useState(equal);
  // A call that only the other request made cannot be selected by the URL.
  const [otherOnly, setOtherOnly] = useState<string>();
  const [first] = comparison.statements;
  const key = otherOnly ?? wanted ?? (first === undefined ? rows[0]?.key : buildKey(first));
  const chosen = findRow(rows, key, comparison);
  const open = useMemo(() => unfoldAbove(rows, folded, chosen?.key), [rows, folded, chosen]);
  const shown = useMemo(() => listShownRows(rows, open), [rows, open]);
  const choose = (chosenKey: string, step: string | null) => {
    // Selecting another row folds nothing: the rows that were unfolded to show the previous selection stay unfolded.
    setFolded(open);
    setOtherOnly(step === null ? chosenKey : undefined);
    if (step !== null) change({ step }, { replace: true });
  };
  const fold = (row: ShownRow) => {
    const next = new Set(open);
    if (!next.delete(row.key)) next.add(row.key);
    // The selected row can be below the folded row, so the folded row is selected instead.
    choose(row.key, row.step.step);
    setFolded(next);
  };
  return (
    <div className={classes.view}>
      <section aria-label="Comparison" className={classes.summary}>
        <OtherRequest comparison={comparison} />
        <div className={classes.actions}>
          <OtherChoice loaded={loaded} other={other} />
          <CopyMarkdown loaded={loaded} comparison={comparison} />
          {close}
        </div>
        {comparison.statements.length === 0 ? (
          <p className={classes.statements}>
            {comparison.valuesRead === 'compared'
              ? 'No captured value is unusual in this request.'
              : 'These requests are too large to compare all values. Select a call to see its values side by side.'}
          </p>
        ) : (
          <ol className={classes.statements} data-one={comparison.statements.length === 1}>
            {comparison.statements.map((statement) => (
              <li key={statement.text}>
                <button type="button" onClick={() => choose(buildKey(statement), statement.step)}>
                  <CodeText text={statement.text} />
                </button>
              </li>
            ))}
          </ol>
        )}
      </section>
      <div className={classes.panes}>
        <SplitPane
          name="comparison"
          endsWithRows
          left={
            <ComparedList
              rows={shown}
              equal={equal}
              thrownAs={{ here: decideThrownAs(loaded.trace), other: decideThrownAs(comparison.other) }}
              chosen={chosen?.key}
              onChoose={(row) => choose(row.key, row.step.step)}
              onFold={fold}
            />
          }
          right={chosen && <ComparedValues loaded={loaded} comparison={comparison} row={chosen} />}
        />
      </div>
    </div>
  );
}

/**
 * Finds the row with the given key. A row of several equal calls has the key of one of these calls. If `key` belongs to another of these
 * calls, finds the first row with the call's name and depth. Returns the first row if no call has the key.
 */
function findRow(
  rows: readonly ComparedRow[],
  key: string | undefined,
  { steps }: TraceComparison,
): ComparedRow | undefined {
  const row = rows.find((each) => each.key === key);
  if (row !== undefined) return row;
  const step = steps.find((each) => buildKey(each) === key);
  return step === undefined
    ? rows[0]
    : rows.find(({ step: shown }) => shown.name === step.name && shown.depth === step.depth);
}

function OtherRequest({ comparison: { other, reason } }: { readonly comparison: TraceComparison }) {
  return (
    <p className={classes.other}>
      Compared with{' '}
      <ButtonLink to="/traces/$id" params={{ id: other._id }} size="compact-xs" variant="default">
        {escapeControlCharacters(`${other.request.method} ${other.request.path}`)}
      </ButtonLink>{' '}
      {other.response.statusCode ?? 'no response'},{' '}
      <span className={classes.whole}>{formatDuration(other.timing.duration)}</span>,{' '}
      <span className={classes.whole}>
        <Timestamp at={other.timing.startTime} show="full" />
      </span>
      {reason !== null && <span className={classes.reason}>{escapeControlCharacters(reason)}</span>}
    </p>
  );
}

function CopyMarkdown({ loaded, comparison }: Pick<ComparedProps, 'loaded' | 'comparison'>) {
  const address = useTraceAddress(loaded.trace._id);
  const copy = () => {
    const link = new URL(address);
    link.searchParams.set('compare', comparison.other._id);
    copyText(writeComparisonMarkdown(loaded.trace, comparison, link.href)).then(
      () => notifySuccess('Comparison: copied as Markdown.'),
      () => notifyFailure('Comparison: clipboard access was blocked.'),
    );
  };
  return (
    <Button size="compact-sm" variant="default" onClick={copy}>
      Copy as Markdown
    </Button>
  );
}
