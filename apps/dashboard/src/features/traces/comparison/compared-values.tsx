import { skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query';
import {
  type CapturedValue,
  formatCounted,
  type Step,
  type TraceComparison,
  type ValuePlace,
} from '@throughline/contract';
import { escapeControlCharacters, escapeControlCharactersInLines } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import type { FoundLines } from '../../../visuals/values/value-rows.ts';
import { ValueTree } from '../../../visuals/values/value-tree.tsx';
import { type LoadedTrace, stepOptions } from '../data/queries.ts';
import { findPathOfLine } from '../value-origin/asked-value.ts';
import type { ComparedRow } from './compared-rows.ts';
import classes from './comparison.module.css';
import { DifferingValues } from './differing-values.tsx';
import { findLitDifferences } from './lit-differences.ts';
import { type FollowValue, useFollowCompared } from './use-follow-compared.ts';

/**
 * Maximum number of ordinary values that are open at first if there are also unusual values. If more ordinary values differ, all ordinary
 * values are collapsed. A value is ordinary if it also differs between successful requests.
 */
const MAX_OPEN_VALUES = 5;

interface ComparedValuesProps {
  readonly loaded: LoadedTrace;
  readonly comparison: TraceComparison;
  readonly row: ComparedRow;
}

/** The selected call in both requests: first the values that differ, then all values side by side. */
export function ComparedValues({ loaded, comparison, row }: ComparedValuesProps) {
  const { step } = row;
  const differing = comparison.values.filter((value) => step.step !== null && value.step === step.step);
  const stepIds = { here: step.step, other: step.other };
  const here = useSideStep(loaded.trace._id, step.step);
  const other = useSideStep(comparison.other._id, step.other);
  const follow = useFollowCompared({ ...stepIds, otherId: comparison.other._id });
  const sides = {
    here: { step: here.data, follow: follow.here },
    other: { step: other.data, follow: follow.other },
  };
  const unusual = differing.filter((value) => value.unusual);
  const ordinary = differing.filter((value) => !value.unusual);
  return (
    <section aria-label={`Values of ${escapeControlCharacters(step.name)}`} className={classes.values}>
      <h2>{escapeControlCharacters(step.name)}</h2>
      {step.step === null && <p className={classes.note}>Only the other request made this call.</p>}
      {step.other === null && <p className={classes.note}>Only this request made this call.</p>}
      {unusual.length > 0 && <DifferingValues title="Unusual values" values={unusual} lit sides={sides} />}
      {ordinary.length > 0 && (
        <details open={unusual.length === 0 || ordinary.length <= MAX_OPEN_VALUES}>
          <summary>
            {formatCounted(ordinary.length, 'other differing value')}
            {comparison.learnedFrom > 1 && ', as among successful requests'}
          </summary>
          <DifferingValues title="Other differing values" values={ordinary} lit={false} sides={sides} />
        </details>
      )}
      {differing.length === 0 && step.step !== null && step.other !== null && (
        <p className={classes.note}>
          {comparison.valuesRead === 'compared'
            ? 'All captured values are equal.'
            : 'The requests are too large to compare all values.'}
        </p>
      )}
      <Sides stepIds={stepIds} queries={{ here, other }} follow={follow} />
    </section>
  );
}

interface SidesProps {
  /** The call's step in each request; null if the request did not make the call. */
  readonly stepIds: { readonly here: string | null; readonly other: string | null };
  readonly queries: { readonly here: UseQueryResult<Step>; readonly other: UseQueryResult<Step> };
  readonly follow: ReturnType<typeof useFollowCompared>;
}

/** All values of the call in both requests, with the differing members marked. */
function Sides({ stepIds, queries: { here, other }, follow }: SidesProps) {
  const lit = useMemo(() => findLitParts(here.data, other.data), [here.data, other.data]);
  return (
    <div className={classes.sides}>
      <Side
        title="This request"
        isMade={stepIds.here !== null}
        query={here}
        lit={lit.here}
        follow={follow.here}
      />
      <Side
        title="Other request"
        isMade={stepIds.other !== null}
        query={other}
        lit={lit.other}
        follow={follow.other}
      />
    </div>
  );
}

function useSideStep(traceId: string, stepId: string | null): UseQueryResult<Step> {
  const options = stepOptions(traceId, stepId ?? '');
  return useQuery(stepId === null ? { queryKey: options.queryKey, queryFn: skipToken } : options);
}

/** The rows to mark in the trees of a step's values, by the name of the part, such as `inputs`. */
type LitParts = ReadonlyMap<string, FoundLines>;

function findLitParts(
  here: Step | undefined,
  other: Step | undefined,
): { readonly here: LitParts; readonly other: LitParts } {
  const lit = { here: new Map<string, FoundLines>(), other: new Map<string, FoundLines>() };
  if (here === undefined || other === undefined) return lit;
  const others = new Map(listParts(other).map(({ name, value }) => [name, value]));
  for (const { name, value } of listParts(here)) {
    const otherValue = others.get(name);
    if (otherValue === undefined) continue;
    const { left, right } = findLitDifferences(value, otherValue);
    if (left !== undefined) lit.here.set(name, left);
    if (right !== undefined) lit.other.set(name, right);
  }
  return lit;
}

interface SideProps {
  readonly title: string;
  /** False if this request did not make the call. */
  readonly isMade: boolean;
  readonly query: UseQueryResult<Step>;
  readonly lit: LitParts;
  readonly follow: FollowValue | undefined;
}

function Side({ title, isMade, query, lit, follow }: SideProps) {
  return (
    <section aria-label={title} className={classes.side}>
      <h3>{title}</h3>
      {!isMade ? (
        <p className={classes.note}>No such call.</p>
      ) : query.isError ? (
        <ErrorNotice
          what="The values could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : query.data === undefined ? (
        <RowsSkeleton what="values" rows={3} />
      ) : (
        <StepParts step={query.data} title={title} lit={lit} follow={follow} />
      )}
    </section>
  );
}

type StepPartsProps = { readonly step: Step } & Pick<SideProps, 'title' | 'lit' | 'follow'>;

function StepParts({ step, title, lit, follow }: StepPartsProps) {
  const parts = listParts(step);
  const { error } = step;
  if (parts.length === 0 && error === null) return <p className={classes.note}>No values were captured.</p>;
  const trees = parts.map(({ name, place, value }) => (
    <div key={name}>
      <h4>{name}</h4>
      <ValueTree
        value={value}
        label={`${title}: ${name}`}
        path={NO_PATH}
        found={lit.get(name)}
        hitText="differs"
        {...(follow !== undefined && {
          onFollow: (key) => {
            const path = findPathOfLine(value, key);
            if (path !== undefined) follow(place, path);
          },
        })}
      />
    </div>
  ));
  return (
    <>
      {error !== null && (
        <>
          <h4>Error</h4>
          <p className={classes.error}>{escapeControlCharactersInLines(error.message)}</p>
        </>
      )}
      {trees}
    </>
  );
}

const NO_PATH: readonly string[] = [];

interface StepPart {
  readonly name: string;
  readonly place: ValuePlace;
  readonly value: CapturedValue;
}

function listParts({ inputs, outputs, variables }: Step): readonly StepPart[] {
  const hasReturned = variables?.returnValue !== undefined;
  const parts: readonly (Omit<StepPart, 'value'> & { readonly value: CapturedValue | undefined })[] = [
    { name: 'Inputs', place: 'inputs', value: inputs },
    { name: 'Local variables', place: 'localVariables', value: variables?.localVariables },
    hasReturned
      ? { name: 'Return value', place: 'returnValue', value: variables.returnValue }
      : { name: 'Return value', place: 'outputs', value: outputs },
  ];
  return parts.flatMap(({ value, ...part }) => (value === undefined ? [] : [{ ...part, value }]));
}
