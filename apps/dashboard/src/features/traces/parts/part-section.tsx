import { Button, Skeleton } from '@mantine/core';
import {
  type CapturedValue,
  formatBytes,
  type Trace,
  type TracePart,
  ValuePlace,
} from '@throughline/contract';
import { parseBody } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { ValueTree } from '../../../visuals/values/value-tree.tsx';
import { findAttributeTerm } from '../context/tenant-attributes.ts';
import { useHasSession } from '../data/trace-calls.ts';
import { ValueFilters } from '../step/values/value-filters.tsx';
import { findValueTerm } from '../step/values/value-term.ts';
import { findPathOfLine } from '../value-origin/asked-value.ts';
import { useValueOrigin } from '../value-origin/value-origin-context.ts';
import classes from './facts.module.css';
import { describeMissingPart } from './missing-part.ts';
import { type PartState, useTracePart } from './use-trace-part.ts';

interface PartSectionProps {
  readonly trace: Trace;
  readonly part: TracePart;
  readonly title: string;
  /** The path of the value in code, for "copy path". */
  readonly path: readonly string[];
}

/** A heading with a captured part of a trace, or the reason why the part is missing. */
export function PartSection({ trace, part, title, path }: PartSectionProps) {
  const state = useTracePart(trace, part);
  return (
    <section className={classes.section} aria-label={title}>
      <h2>{title}</h2>
      <PartContent
        state={state}
        projectId={trace.projectId}
        part={part}
        title={title}
        path={path}
        missing={describeMissingPart(trace, part)}
      />
    </section>
  );
}

interface PartContentProps extends Pick<PartSectionProps, 'part' | 'title' | 'path'> {
  readonly projectId: string;
  readonly state: PartState;
  readonly missing: string;
}

function PartContent({ state, missing, ...shown }: PartContentProps) {
  const { title } = shown;
  switch (state.state) {
    case 'captured':
      return <PartValue value={state.value} {...shown} />;
    case 'missing':
      return <p className={classes.none}>{missing}</p>;
    case 'loading':
      return (
        <div role="status" aria-busy="true" className={classes.loading}>
          <span>Loading {formatBytes(state.bytes)}…</span>
          <Skeleton height={12} width="70%" />
          <Skeleton height={12} width="55%" />
        </div>
      );
    case 'large':
      return (
        <p className={classes.none}>
          {formatBytes(state.bytes)}, not loaded yet.{' '}
          <Button size="compact-xs" variant="default" onClick={state.load}>
            Load {title.toLowerCase()}
          </Button>
        </p>
      );
    case 'failed':
      return (
        <ErrorNotice
          what={`${title} could not be loaded.`}
          error={state.error}
          onRetry={state.retry}
          retrying={state.retrying}
        />
      );
  }
}

/** A search over captured values looks in these parts of a request. */
const SEARCHED_PARTS: ReadonlySet<TracePart> = new Set(['request.query', 'request.body', 'response.body']);

function PartValue({
  projectId,
  value,
  part,
  title,
  path,
}: Omit<PartContentProps, 'state' | 'missing'> & { readonly value: CapturedValue }) {
  const parsed = useMemo(() => parseBody(value) ?? null, [value]);
  const origin = useValueOrigin();
  const isSignedIn = useHasSession();
  if (isEmpty(parsed)) return <p className={classes.none}>Empty</p>;
  // Only values that are parts of the request or response can be followed, not the user or attributes.
  const place = ValuePlace.safeParse(part).data;
  const follow = (key: string) => {
    const followed = findPathOfLine(parsed, key);
    if (place !== undefined && followed !== undefined) origin?.ask({ stepId: null, place, path: followed });
  };
  const canFollow = origin !== undefined && place !== undefined;
  const findTerm = (key: string) => {
    if (part === 'attributes') return findAttributeTerm(parsed, key);
    return SEARCHED_PARTS.has(part) ? findValueTerm(part.split('.'), '', parsed, key) : undefined;
  };
  return (
    <ValueTree
      value={parsed}
      label={title}
      path={path}
      {...(canFollow && { onFollow: follow })}
      {...(isSignedIn && {
        renderActions: (row, isActive) => (
          <ValueFilters projectId={projectId} term={findTerm(row.key)} row={row} isActive={isActive} />
        ),
      })}
    />
  );
}

function isEmpty(value: CapturedValue): boolean {
  if (value === '') return true;
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
