import { CloseButton, Skeleton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import {
  formatCount,
  formatCounted,
  type Step,
  type ValuePath,
  type ValuePlace,
} from '@throughline/contract';
import { useDeferredValue, useMemo } from 'react';
import { useStepSearchText } from '../../../../shell/url-state/search-params.ts';
import { CodeLine } from '../../../../ui/copying/code-line.tsx';
import { ErrorNotice } from '../../../../ui/feedback/error-notice.tsx';
import { SqlStatement } from '../../../../visuals/sql/sql-statement.tsx';
import { countTruncated } from '../../../../visuals/values/count-truncated.ts';
import { ValueTree } from '../../../../visuals/values/value-tree.tsx';
import { type LoadedTrace, useStepValues } from '../../data/queries.ts';
import { useHasSession } from '../../data/trace-calls.ts';
import { useSettled } from '../../data/use-settled.ts';
import { describeMissingValues } from '../../parts/missing-values.ts';
import { describeMissingQueryValues } from '../../parts/query-values-note.ts';
import { findPathOfLine } from '../../value-origin/asked-value.ts';
import { useValueOrigin, type ValueOriginState } from '../../value-origin/value-origin-context.ts';
import classes from '../step-details.module.css';
import { findSql } from '../step-query.ts';
import { stepCurl } from '../step-request.ts';
import { ChangedValues } from './changed-values.tsx';
import { type FoundInParts, findInParts, isEmpty, markInParts } from './find-in-parts.ts';
import { listParts, type StepParts, type ValuePart } from './list-parts.ts';
import { SeenBefore } from './seen-before.tsx';
import { ValueFilters } from './value-filters.tsx';
import { findValueTerm } from './value-term.ts';

/** The search string for a step's values, which stays when another step is selected. */
export interface ValueSearchText {
  readonly sought: string;
  readonly onSeek: (text: string) => void;
}

const NOTHING: StepParts = { parts: [], changed: [] };

interface StepValuesProps extends ValueSearchText {
  readonly loaded: LoadedTrace;
  readonly step: Step;
}

/** The values of a step, one tree per kind, and a field that searches names and values in all trees. */
export function StepValues({ loaded, step, sought, onSeek }: StepValuesProps) {
  const values = useStepValues(loaded, step, useSettled());
  const text = useDeferredValue(sought.trim());
  const { parts, changed } = useMemo(
    () => (values.data === undefined ? NOTHING : listParts(values.data)),
    [values.data],
  );
  const found = useMemo(() => (text === '' ? undefined : findInParts(parts, text)), [parts, text]);
  const find = useStepSearchText();
  const origin = useValueOrigin();
  const isSignedIn = useHasSession();
  const marked = useMemo(() => markInParts(parts, find), [parts, find]);
  if (values.isPending) {
    return (
      <div role="status" aria-busy="true" className={classes.waiting}>
        <span className="visually-hidden">Loading values…</span>
        <Skeleton height={12} width="30%" />
        <Skeleton height={12} width="70%" />
        <Skeleton height={12} width="55%" />
      </div>
    );
  }
  if (values.isError) {
    return (
      <ErrorNotice
        what="This step's values could not be loaded."
        error={values.error}
        onRetry={() => void values.refetch()}
        retrying={values.isFetching}
      />
    );
  }
  const missing = describeMissingValues(values.data, loaded.trace) ?? describeMissingQueryValues(values.data);
  return (
    <>
      <StepCommand step={values.data} />
      {parts.some(({ value }) => value !== undefined && !isEmpty(value)) && (
        <FindInValues sought={sought} onSeek={onSeek} found={found} marked={marked && { find, ...marked }} />
      )}
      {parts.map(
        ({ title, place, path, value, note }) =>
          value !== undefined &&
          (found === undefined || found.in.has(title)) && (
            <section key={title} className={classes.part}>
              <h3>
                {title}
                {note !== undefined && <span className={classes.note}> {note}</span>}
              </h3>
              {isEmpty(value) ? (
                <p className={classes.none}>none</p>
              ) : (
                <ValueTree
                  value={value}
                  label={title}
                  path={path}
                  found={(found ?? marked)?.in.get(title)}
                  {...(place === 'outputs' && { openMember: 'firstRows' })}
                  {...(origin === undefined
                    ? {}
                    : { onFollow: (key) => follow(origin, step.stepId, place, findPathOfLine(value, key)) })}
                  {...(isSignedIn &&
                    // Searches over captured values do not include metadata.
                    place !== 'metadata' && {
                      renderActions: (row, isActive) => (
                        <ValueFilters
                          projectId={loaded.trace.projectId}
                          term={findValueTerm([step.stepName], place, value, row.key)}
                          row={row}
                          isActive={isActive}
                        />
                      ),
                    })}
                />
              )}
            </section>
          ),
      )}
      {found === undefined && <ChangedValues stepId={step.stepId} changed={changed} />}
      <SeenBefore step={values.data} flow={loaded.trace.flow} />
      <Truncated parts={parts} />
      {missing !== undefined && <p className={classes.missing}>{missing}</p>}
    </>
  );
}

function follow(
  { ask }: ValueOriginState,
  stepId: string,
  place: ValuePlace,
  path: ValuePath | undefined,
): void {
  if (path !== undefined) ask({ stepId, place, path });
}

interface FindInValuesProps extends ValueSearchText {
  readonly found: FoundInParts | undefined;
  /** The matches in this step's values for the words of the step search (the search field above the list of steps). */
  readonly marked: (FoundInParts & { readonly find: string }) | undefined;
}

function FindInValues({ sought, onSeek, found, marked }: FindInValuesProps) {
  return (
    <search className={classes.find} aria-label="Values">
      <TextInput
        // Escape leaves the field and does not close the dialog.
        data-mantine-stop-propagation="true"
        size="xs"
        type="search"
        aria-label="Find in this step's values"
        placeholder="Find a name or value"
        maxLength={1000}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          sought !== '' && (
            <CloseButton size={24} aria-label="Show all values again" onClick={() => onSeek('')} />
          )
        }
        value={sought}
        onChange={(event) => onSeek(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (sought === '') event.currentTarget.blur();
          else onSeek('');
        }}
      />
      <p role="status" className={classes.found}>
        {found !== undefined
          ? formatFound(found)
          : marked !== undefined && `${formatFound(marked)} with “${marked.find.trim()}”`}
      </p>
    </search>
  );
}

function formatFound({ count, more }: FoundInParts): string {
  if (count === 0) return 'No matches';
  return more
    ? `At least ${formatCount(count)} places`
    : count === 1
      ? '1 place'
      : `${formatCount(count)} places`;
}

/** The statement or request that a step sent, with a copy button. */
function StepCommand({ step }: { readonly step: Step }) {
  const sql = findSql(step);
  const curl = stepCurl(step);
  if (sql !== undefined) {
    return (
      <section className={classes.part} aria-label="SQL">
        <SqlStatement statement={sql} />
      </section>
    );
  }
  return (
    curl !== undefined && (
      <details className={classes.stack}>
        <summary>As cURL</summary>
        <CodeLine code={curl} label="Copy cURL command" />
      </details>
    )
  );
}

/** Shows how many values of the step were truncated because of a limit. The trees of the values mark these values. */
function Truncated({ parts }: { readonly parts: readonly ValuePart[] }) {
  const count = useMemo(() => countTruncated(parts.flatMap(({ value }) => value ?? [])), [parts]);
  if (count === 0) return null;
  return <p className={classes.missing}>{formatCounted(count, 'value')} truncated (limit)</p>;
}
