import { SegmentedControl } from '@mantine/core';
import { formatCount } from '@throughline/contract';
import type { ReactNode, RefObject } from 'react';
import type { DrawnCalls } from '../../../visuals/flow/functions/calls/drawn-calls.ts';
import type { Grouping } from '../../../visuals/flow/functions/calls/name-lane.ts';
import { FindBox, formatSearching } from '../filter/step-filter-bar.tsx';
import classes from './function-flow.module.css';
import type { FunctionSearch } from './use-function-search.ts';

const GROUPS = [
  { value: 'none', label: 'None' },
  { value: 'file', label: 'File' },
  { value: 'service', label: 'Service' },
] as const satisfies readonly { value: Grouping; label: string }[];

interface FunctionBarProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly search: FunctionSearch;
  /** Undefined while the graph is computed. */
  readonly drawn: DrawnCalls | undefined;
  readonly group: Grouping;
  readonly onGroup: (group: Grouping) => void;
  /** The control of the followed value. */
  readonly children: ReactNode;
}

/** The search within the function graph, and the choice of its lanes. */
export function FunctionBar({ box, search, drawn, group, onGroup, children }: FunctionBarProps) {
  return (
    <search className={classes.bar} aria-label="Functions">
      <FindBox box={box} state={search} onEnter={search.goToNext} />
      <p role="status" className={classes.count}>
        {drawn !== undefined && describeCount(drawn, search)}
      </p>
      {children}
      <div className={classes.group}>
        <span>Group by</span>
        <SegmentedControl<Grouping>
          size="xs"
          aria-label="Group by"
          data={[...GROUPS]}
          value={group}
          onChange={onGroup}
        />
      </div>
    </search>
  );
}

function describeCount({ graph, shown, hidden }: DrawnCalls, { hits, values }: FunctionSearch): string {
  const all = graph.functions.length;
  const functions = all === 1 ? '1 function' : `${formatCount(all)} functions`;
  const parts = [hits === undefined ? functions : `${formatCount(hits.size)} of ${functions}`];
  if (hidden > 0) parts.push(`the largest ${formatCount(shown.length)} are drawn`);
  if (values.state === 'loading') parts.push(formatSearching(values.share));
  if (values.state === 'failed') parts.push('values could not be searched');
  return parts.join(', ');
}
