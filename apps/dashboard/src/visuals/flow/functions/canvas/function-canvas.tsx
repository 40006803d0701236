import '@xyflow/react/dist/style.css';
import { IconMaximize } from '@tabler/icons-react';
import { Background, ControlButton, Controls, Panel, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import flowClasses from '../../flow-graph.module.css';
import type { FunctionCalls } from '../calls/call-graph.ts';
import type { DrawnCalls } from '../calls/drawn-calls.ts';
import type { CallLayout } from '../layout/layout-types.ts';
import { ValueEdges } from '../value-path/value-edges.tsx';
import type { ValuePath } from '../value-path/value-path.ts';
import { type CardValue, FUNCTION_NODE_TYPES, type FunctionFlowNode } from './function-card.tsx';
import { EdgeLabels, FunctionEdges } from './function-edges.tsx';
import classes from './function-graph.module.css';
import { LaneBands } from './lane-bands.tsx';
import { useDrawnIds } from './use-drawn-ids.ts';
import { useFunctionNodes } from './use-function-nodes.ts';
import { useFunctionView } from './use-function-view.ts';
import { usePointed } from './use-pointed.ts';
import { findLeastZoom } from './viewport.ts';
import { findWalkTarget, isWalkKey } from './walk-graph.ts';

/** The assumed size of a canvas that has not been measured yet. */
const SOME_CANVAS = { width: 320, height: 240 };

interface FunctionCanvasProps {
  readonly drawn: DrawnCalls;
  readonly layout: CallLayout;
  /** The selected function. */
  readonly selected: string | undefined;
  /** The functions that match the search; undefined without a search. */
  readonly hits: ReadonlySet<string> | undefined;
  readonly values: ReadonlyMap<string, readonly CardValue[]>;
  /** The path of the value that the user follows through the request; undefined if the user follows no value. */
  readonly valuePath: ValuePath | undefined;
  readonly onSelect: (called: FunctionCalls) => void;
  /** The actions that apply to the whole graph. */
  readonly tools: ReactNode;
}

/** Draws functions and their arrows at the positions that the layout computed. */
export function FunctionCanvas(props: FunctionCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas(props: FunctionCanvasProps) {
  const { drawn, layout, selected, hits, values, valuePath, onSelect, tools } = props;
  const box = useRef<HTMLDivElement>(null);
  const lit = useMemo(() => hits ?? findLit(drawn, selected, valuePath), [hits, drawn, selected, valuePath]);
  const { ids, look, isSettled } = useDrawnIds(layout);
  const { noteView, showFunction, showAll } = useFunctionView({
    box,
    drawn,
    layout,
    selected,
    valuePath,
    look,
    isSettled,
  });
  const { cursor, onKeyDown } = useWalk({ box, drawn, layout, selected, ids, showFunction });
  const nodes = useFunctionNodes({ drawn, layout, lit, selected, cursor, values, valuePath, onSelect }, ids);
  const pointed = usePointed(box, layout);
  const near = useMemo(
    () => new Set([...pointed.functions, selected].filter((id) => id !== undefined)),
    [pointed.functions, selected],
  );
  const leastZoom = useMemo(() => findLeastZoom(layout, SOME_CANVAS), [layout]);
  const pictured = { drawn, layout, lit, selected };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the cards inside
    <div
      ref={box}
      className={`${flowClasses.canvas} ${classes.canvas}`}
      onKeyDown={onKeyDown}
      {...pointed.handlers}
    >
      <ReactFlow<FunctionFlowNode>
        nodes={nodes}
        nodeTypes={FUNCTION_NODE_TYPES}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panOnScroll
        minZoom={leastZoom}
        maxZoom={2}
        onMove={(_, view) => noteView(view)}
      >
        <Background gap={20} />
        <LaneBands lanes={layout.lanes} />
        <FunctionEdges {...pictured} />
        <EdgeLabels {...pictured} ids={ids} near={near} pointed={pointed.arrow} />
        {valuePath !== undefined && (
          <ValueEdges path={valuePath} graph={drawn.graph} layout={layout} near={near} />
        )}
        <Controls showInteractive={false} showFitView={false}>
          <ControlButton title="Fit View" aria-label="Fit View" onClick={showAll}>
            <IconMaximize aria-hidden />
          </ControlButton>
        </Controls>
        <Panel position="top-right">{tools}</Panel>
      </ReactFlow>
    </div>
  );
}

/** Finds the functions to highlight when there is no search. */
function findLit(
  { opening, graph }: DrawnCalls,
  selected: string | undefined,
  valuePath: ValuePath | undefined,
): ReadonlySet<string> {
  const followed = valuePath?.functions.keys() ?? [];
  const lit = new Set([...(opening?.path ?? []), ...(opening?.siblings ?? []), ...followed]);
  if (selected === undefined || opening?.path.has(selected) === true) return lit;
  lit.add(selected);
  for (const { caller } of graph.callers.get(selected) ?? []) lit.add(caller);
  for (const { callee } of graph.callees.get(selected) ?? []) lit.add(callee);
  return lit;
}

interface WalkOptions extends Pick<FunctionCanvasProps, 'drawn' | 'layout' | 'selected'> {
  readonly box: React.RefObject<HTMLDivElement | null>;
  readonly ids: ReadonlySet<string>;
  readonly showFunction: (id: string) => void;
}

/** Moves the keyboard cursor from card to card with the arrow keys. */
function useWalk({ box, drawn, layout, selected, ids, showFunction }: WalkOptions) {
  const { graph, opening, shown } = drawn;
  const atFirst = selected ?? (opening && graph.byStep.get(opening.call)?.id) ?? shown[0]?.id;
  const [walked, setWalked] = useState<string>();
  useEffect(() => setWalked(selected), [selected]);
  const cursor = walked !== undefined && layout.cards.has(walked) ? walked : atFirst;
  const takesFocus = useRef(false);
  useEffect(() => {
    if (!takesFocus.current || cursor === undefined) return;
    const card = findCard(box.current, cursor);
    if (card === null) return;
    // While the view moves to the card, the card is focused again at each change of `ids`, until `ids` contains the card.
    if (ids.has(cursor)) takesFocus.current = false;
    card.focus({ preventScroll: true });
  }, [box, cursor, ids]);
  const onKeyDown = (event: KeyboardEvent) => {
    const from = event.target instanceof HTMLElement ? event.target.dataset.function : undefined;
    if (from === undefined || !isWalkKey(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const to = findWalkTarget({ graph, places: layout.cards, opening }, from, event.key);
    if (to === undefined) return;
    takesFocus.current = true;
    setWalked(to);
    showFunction(to);
  };
  return { cursor, onKeyDown };
}

function findCard(box: HTMLElement | null, id: string): HTMLElement | null {
  return box?.querySelector<HTMLElement>(`[data-function="${CSS.escape(id)}"]`) ?? null;
}
