import { ActionIcon, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { formatCount } from '@throughline/contract';
import { countStepCalls, type FunctionCalls } from '../../../visuals/flow/functions/calls/call-graph.ts';
import { describeFunction } from '../../../visuals/flow/functions/calls/function-words.ts';
import type { StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import classes from './function-flow.module.css';

interface CallPagerProps {
  readonly called: FunctionCalls;
  readonly selected: StepEntry;
  readonly onSelect: (key: string) => void;
}

/** Shows which of a function's calls is selected, with buttons to the previous and next call. Renders nothing for a single call. */
export function CallPager({ called, selected, onSelect }: CallPagerProps) {
  const { nodes, calls } = called;
  if (nodes.length < 2) return null;
  const index = selected.kind === 'step' ? nodes.indexOf(selected.node) : -1;
  const [before, after] = [nodes[index - 1], nodes[index + 1]];
  return (
    <nav className={classes.pager} aria-label={`Calls of ${describeFunction(called).name}`}>
      <span role="status">{index < 0 ? `${formatCount(calls)} calls` : formatPlace(called, index)}</span>
      <Group gap={4}>
        <ActionIcon
          size="sm"
          variant="default"
          aria-label="Previous call"
          disabled={before === undefined}
          onClick={() => before && onSelect(before.key)}
        >
          <IconChevronLeft size={14} aria-hidden />
        </ActionIcon>
        <ActionIcon
          size="sm"
          variant="default"
          aria-label="Next call"
          disabled={after === undefined}
          onClick={() => after && onSelect(after.key)}
        >
          <IconChevronRight size={14} aria-hidden />
        </ActionIcon>
      </Group>
    </nav>
  );
}

/** Formats "Call 3 of 12", or "Calls 3–9 of 12" for a step that represents several calls. */
function formatPlace({ nodes, calls }: FunctionCalls, index: number): string {
  const before = nodes.slice(0, index).reduce((sum, node) => sum + countStepCalls(node), 0);
  const node = nodes[index];
  const count = node === undefined ? 1 : countStepCalls(node);
  const first = formatCount(before + 1);
  const all = formatCount(calls);
  return count === 1 ? `Call ${first} of ${all}` : `Calls ${first}–${formatCount(before + count)} of ${all}`;
}
