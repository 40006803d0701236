import { Center, Text } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { findBundleByKey } from '../steps/analysis/bundle-repeats.ts';
import type { StepForest } from '../steps/analysis/step-forest.ts';
import { FlowCanvas } from './flow-canvas.tsx';
import { FlowList } from './flow-list.tsx';
import type { FlowFolding } from './flow-types.ts';
import { LayingOut } from './laying-out.tsx';
import { buildFlow, findPathTo, NO_FOLDING } from './layout/flow-data.ts';
import { useFlowLayout } from './layout/use-flow-layout.ts';
import { drawFlowSvg } from './picture/flow-svg.ts';
import { FlowTools } from './picture/flow-tools.tsx';

/** With more steps than this, the user cannot open all steps: the graph is unreadable, and its picture is too large for a browser. */
const OPEN_ALL_UP_TO = 3000;

export type FlowLook = 'graph' | 'list';

interface FlowGraphProps {
  readonly forest: StepForest;
  readonly look: FlowLook;
  /** The `stepId`s of the steps that have the value that the user follows through the request. */
  readonly marked: ReadonlySet<string>;
  /** The key of the selected entry: a step or a bundle. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** The steps of a request as numbered cards with arrows in start order, or as a list. */
export function FlowGraph({ forest, look, marked, selected, onSelect }: FlowGraphProps) {
  const { folding, toggle, showAll, foldBy } = useFolding(forest, selected);
  const graph = useMemo(() => buildFlow(forest, folding), [forest, folding]);
  const placed = useFlowLayout(graph);
  if (forest.all.length === 0) {
    return (
      <Center h="100%" p="xl">
        <Text c="dimmed">No flow data available</Text>
      </Center>
    );
  }
  if (look === 'list' || placed.state === 'failed') {
    return (
      <FlowList graph={graph} marked={marked} selected={selected} onSelect={onSelect} onShowAll={showAll} />
    );
  }
  if (placed.state === 'waiting') return <LayingOut />;
  return (
    <FlowCanvas
      graph={placed.graph}
      layout={placed.layout}
      marked={marked}
      selected={selected}
      onSelect={onSelect}
      onToggle={toggle}
      onShowAll={showAll}
      tools={
        <FlowTools
          canOpenAll={forest.all.length <= OPEN_ALL_UP_TO}
          onFold={foldBy}
          svg={(scheme) => drawFlowSvg(placed.graph, placed.layout, scheme)}
        />
      }
    />
  );
}

/**
 * Returns the state of the expanded and collapsed entries, and functions that change this state. A selected step always has a card, even
 * if it was selected in another view.
 */
function useFolding(forest: StepForest, selected: string | undefined) {
  const [folding, setFolding] = useState<FlowFolding>(() => revealSelected(forest, selected, NO_FOLDING));
  useEffect(() => setFolding((before) => revealSelected(forest, selected, before)), [forest, selected]);
  const toggle = useCallback(
    (key: string) => setFolding((before) => ({ ...before, toggled: withTurned(before.toggled, key) })),
    [],
  );
  const showAll = useCallback(
    (owner: string) => setFolding((before) => ({ ...before, whole: new Set(before.whole).add(owner) })),
    [],
  );
  const foldBy = useCallback(
    (rule: FlowFolding['rule']) => setFolding((before) => ({ ...NO_FOLDING, rule, shown: before.shown })),
    [],
  );
  return { folding, toggle, showAll, foldBy };
}

function revealSelected(forest: StepForest, selected: string | undefined, before: FlowFolding): FlowFolding {
  if (selected === undefined || before.shown.has(selected)) return before;
  const node = forest.byKey.get(selected) ?? findBundleByKey(forest, selected)?.first;
  if (node === undefined) return before;
  const opened = new Set([...before.opened, ...findPathTo(forest, node)]);
  // A selected bundle that was closed stays closed: it already has a card, so it need not be opened.
  if (!before.opened.has(selected)) opened.delete(selected);
  return { ...before, opened, shown: new Set(before.shown).add(selected) };
}

function withTurned(before: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(key)) after.add(key);
  return after;
}
