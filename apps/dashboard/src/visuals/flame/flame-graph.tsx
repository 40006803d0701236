import { Button, SegmentedControl } from '@mantine/core';
import { formatCounted, formatDuration, formatRate } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useCallback, useState } from 'react';
import type { StepForest } from '../steps/analysis/step-forest.ts';
import { THROWN_WORDS } from '../steps/step-outcome.ts';
import { useWork } from '../work/use-work.ts';
import { Working } from '../work/working.tsx';
import classes from './flame.module.css';
import { FlameCanvas } from './flame-canvas.tsx';
import { FlameTable } from './flame-table.tsx';
import { buildFlameTreeWork, type FlameTree, type Frame, findSlowestCall } from './flame-tree.ts';

const LOOKS = [
  { value: 'graph', label: 'Graph' },
  { value: 'table', label: 'Table' },
] as const;
type Look = (typeof LOOKS)[number]['value'];

interface FlameGraphProps {
  readonly forest: StepForest;
  /** The name of the root frame: "POST /checkout". */
  readonly requestName: string;
  /** The request's duration in milliseconds. */
  readonly durationMs: number;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** Shows where the time of a request went: as boxes, one per call path and as wide as the calls took, or as a table of functions. */
export function FlameGraph({ forest, requestName, durationMs, ...selection }: FlameGraphProps) {
  const begin = useCallback(
    () => buildFlameTreeWork(forest, requestName, durationMs),
    [forest, requestName, durationMs],
  );
  const tree = useWork(begin, forest.all.length);
  return tree === undefined ? <Working what="flame graph" /> : <FlameLooks tree={tree} {...selection} />;
}

interface FlameLooksProps extends Pick<FlameGraphProps, 'selected' | 'onSelect'> {
  readonly tree: FlameTree;
}

function FlameLooks({ tree, selected, onSelect }: FlameLooksProps) {
  const [look, setLook] = useState<Look>('graph');
  const [focused, setFocused] = useState<Frame>();
  const focus = focused !== undefined && tree.all[focused.index] === focused ? focused : tree.root;
  // `selected` can be the key of a bundle, which is the key of the bundle's first step with a one-character prefix.
  const current =
    selected === undefined
      ? undefined
      : (tree.framesByStep.get(selected) ?? tree.framesByStep.get(selected.slice(1)));
  const select = (frame: Frame) => {
    const node = findSlowestCall(frame);
    if (node !== undefined) onSelect(node.key);
  };
  return (
    <div className={classes.root}>
      <div className={classes.strip}>
        <p role="status" className={classes.words}>
          {current === undefined ? 'Nothing selected' : describeFrame(current, tree.root)}
        </p>
        {look === 'graph' && (
          <Button
            size="compact-xs"
            variant="default"
            disabled={focus === tree.root}
            onClick={() => setFocused(undefined)}
          >
            Zoom out
          </Button>
        )}
        <SegmentedControl<Look>
          size="xs"
          aria-label="Show as"
          data={[...LOOKS]}
          value={look}
          onChange={setLook}
        />
      </div>
      {look === 'graph' ? (
        <FlameCanvas tree={tree} focus={focus} current={current} onSelect={select} onFocus={setFocused} />
      ) : (
        <FlameTable tree={tree} current={current} onSelect={select} />
      )}
    </div>
  );
}

/** Describes a frame for people who cannot see the canvas. */
export function describeFrame(frame: Frame, root: Frame): string {
  const share = root.weight === 0 ? 0 : (frame.weight / root.weight) * 100;
  const calls = formatCounted(frame.calls, 'call');
  const thrown = frame.outcome === 'ended' ? '' : `, ${THROWN_WORDS[frame.outcome]}`;
  return `${escapeControlCharacters(frame.name)}: ${formatRate(share)}, total ${formatDuration(frame.totalMs)}, self ${formatDuration(frame.selfMs)}, ${calls}${thrown}`;
}
