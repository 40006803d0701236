import '@xyflow/react/dist/style.css';
import { IconMaximize } from '@tabler/icons-react';
import {
  Background,
  ControlButton,
  Controls,
  type Edge,
  MarkerType,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStoreApi,
} from '@xyflow/react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { hasMarked } from '../steps/analysis/bundle-repeats.ts';
import { describeEntry } from './entry-words.ts';
import { type CanvasNode, FLOW_NODE_TYPES, listPorts, PORT_LEFT, type Port } from './flow-cards.tsx';
import classes from './flow-graph.module.css';
import type { ErrorPath, FlowGraphData, FlowNode } from './flow-types.ts';
import { findDetail } from './functions/canvas/viewport.ts';
import { CARD, type FlowBox, type FlowLayout } from './layout/flow-layout.ts';

/** Minimum number of cards with which a minimap is shown. */
const MAP_FROM = 16;
const MAP_SIZE = { width: 112, height: 112 };
/** The whole graph is shown at first if it fits at this zoom, at which cards show all their text. */
const READABLE_ZOOM = 0.7;
/** The smallest zoom at which a name of readable size fits into a card. */
const NAMES_FROM = 0.28;
const MIN_ZOOM = 0.05;
/** The smallest zoom still shows the whole graph in a canvas of this width and height, however large the graph is. Pixels. */
const MIN_CANVAS_PX = 160;
const MARGIN_PX = 24;
/** Height of the part of the canvas that the toolbar covers, in pixels. */
const TOP_PX = 56;
/** Arrows bend halfway between rows, at least `offset` pixels from the cards, with rounded corners. */
const ARROW = { offset: 10, borderRadius: 6 };

export interface FlowCanvasProps {
  readonly graph: FlowGraphData;
  readonly layout: FlowLayout;
  readonly marked: ReadonlySet<string>;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly onToggle: (key: string) => void;
  readonly onShowAll: (owner: string) => void;
  /** The actions that apply to the whole graph. */
  readonly tools: ReactNode;
}

/** Draws the cards and arrows of a graph at the positions that the layout computed. */
export function FlowCanvas(props: FlowCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ graph, layout, marked, selected, onSelect, onToggle, onShowAll, tools }: FlowCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const nodes = useMemo(
    () => buildCanvasNodes(graph, layout, { marked, selected, onToggle, onShowAll }),
    [graph, layout, marked, selected, onToggle, onShowAll],
  );
  const edges = useMemo(() => buildCanvasEdges(graph), [graph]);
  useDetail(box);
  useViewOnSelection(box, layout, selected);
  useViewOnResize(box, layout, selected);
  const leastZoom = useMemo(() => computeLeastZoom(layout), [layout]);
  const flow = useReactFlow();
  const fit = () => {
    if (box.current !== null) void flow.setViewport(computeWholeView(box.current, layout));
  };
  return (
    <div ref={box} className={classes.canvas}>
      <ReactFlow<CanvasNode>
        nodes={nodes}
        edges={edges}
        nodeTypes={FLOW_NODE_TYPES}
        onNodesChange={(changes) => {
          // Handles clicks, and the keys that select a focused card.
          for (const change of changes) {
            if (change.type === 'select' && change.selected) selectEntry(graph, change.id, onSelect);
          }
        }}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        onlyRenderVisibleElements
        panOnScroll
        minZoom={leastZoom}
        maxZoom={2}
        disableKeyboardA11y={false}
        ariaLabelConfig={{ 'node.a11yDescription.default': "Press Enter to show the step's values." }}
      >
        <Background gap={20} />
        {/* Replaces the library's own Fit View button, which waits until every card is drawn, although only the cards in view are drawn. */}
        <Controls showInteractive={false} showFitView={false}>
          <ControlButton title="Fit View" aria-label="Fit View" onClick={fit}>
            <IconMaximize aria-hidden />
          </ControlButton>
        </Controls>
        <Panel position="top-right">{tools}</Panel>
        {graph.nodes.length >= MAP_FROM && (
          <MiniMap
            pannable
            zoomable
            className={classes.map ?? ''}
            style={MAP_SIZE}
            nodeColor={mapColour}
            ariaLabel="Overview of the flow graph"
          />
        )}
      </ReactFlow>
    </div>
  );
}

/** At each change of the zoom, sets the cards' level of detail and the CSS variable `--zoom`, by which the style sheet divides sizes. */
function useDetail(box: React.RefObject<HTMLDivElement | null>): void {
  const store = useStoreApi();
  useLayoutEffect(() => {
    // Sets attributes, since a React state change for each frame of a zoom would render all cards again.
    const note = ([, , zoom]: readonly [number, number, number]) => {
      box.current?.style.setProperty('--zoom', String(zoom));
      if (box.current !== null) box.current.dataset.detail = findDetail(zoom, NAMES_FROM);
    };
    note(store.getState().transform);
    return store.subscribe(({ transform }, before) => {
      if (transform[2] !== before.transform[2]) note(transform);
    });
  }, [box, store]);
}

/**
 * At first shows the whole graph if it fits readably, otherwise the selected card. Later, moves a newly selected card into view if it is
 * outside the view.
 */
function useViewOnSelection(
  box: React.RefObject<HTMLDivElement | null>,
  layout: FlowLayout,
  selected: string | undefined,
): void {
  const flow = useReactFlow();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    const place = box.current;
    const card = layout.get(selected ?? '') ?? layout.values().next().value;
    if (place === null || card === undefined) return;
    const viewed = seen.current;
    const wanted = selected ?? '';
    if (viewed === wanted) return;
    seen.current = wanted;
    if (viewed !== null && isInView(place, card, flow.getViewport())) return;
    const zoom = viewed === null ? 1 : Math.max(flow.getZoom(), READABLE_ZOOM);
    const whole = computeWholeView(place, layout);
    if (viewed === null && whole.zoom >= READABLE_ZOOM) {
      void flow.setViewport(whole);
      return;
    }
    void flow.setViewport(computeCardView(place, card, zoom));
  }, [box, layout, selected, flow]);
}

/** When the canvas is resized, keeps the same part of the graph in the horizontal middle of the canvas, and the selected card in view. */
function useViewOnResize(
  box: React.RefObject<HTMLDivElement | null>,
  layout: FlowLayout,
  selected: string | undefined,
): void {
  const flow = useReactFlow();
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    let [width, height] = [place.clientWidth, place.clientHeight];
    const observer = new ResizeObserver(() => {
      // A ResizeObserver also reports the unchanged size when it starts observing. That report is ignored.
      if (place.clientWidth === width && place.clientHeight === height) return;
      const before = flow.getViewport();
      const moved = { ...before, x: before.x + (place.clientWidth - width) / 2 };
      [width, height] = [place.clientWidth, place.clientHeight];
      const card = layout.get(selected ?? '');
      const isLost = card !== undefined && !isInView(place, card, moved);
      void flow.setViewport(isLost ? computeCardView(place, card, moved.zoom) : moved);
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, [box, layout, selected, flow]);
}

/** Returns the view that centres a card; near the top of the graph, the view starts at the top. */
function computeCardView(place: HTMLElement, card: FlowBox, zoom: number): View {
  return {
    x: place.clientWidth / 2 - (card.x + card.width / 2) * zoom,
    y: card.y < place.clientHeight / 2 ? TOP_PX : place.clientHeight / 2 - card.y * zoom,
    zoom,
  };
}

interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Returns the view that shows the whole graph. The zoom is at most 1. */
function computeWholeView(place: HTMLElement, layout: FlowLayout): View {
  const bounds = computeBounds(layout);
  const zoom = Math.min(
    1,
    (place.clientWidth - 2 * MARGIN_PX) / bounds.width,
    (place.clientHeight - TOP_PX - MARGIN_PX) / bounds.height,
  );
  return {
    x: (place.clientWidth - bounds.width * zoom) / 2,
    y: TOP_PX,
    zoom: Math.max(computeLeastZoom(layout), zoom),
  };
}

/** Returns the smallest zoom that the user can choose. At this zoom, all cards fit into a canvas of `MIN_CANVAS_PX`. */
function computeLeastZoom(layout: FlowLayout): number {
  const { width, height } = computeBounds(layout);
  return Math.min(MIN_ZOOM, MIN_CANVAS_PX / width, MIN_CANVAS_PX / height);
}

function isInView(place: HTMLElement, card: { x: number; y: number }, { x, y, zoom }: View): boolean {
  const left = card.x * zoom + x;
  const top = card.y * zoom + y;
  return (
    left >= 0 &&
    top >= TOP_PX &&
    left + CARD.width * zoom <= place.clientWidth &&
    top + CARD.height * zoom <= place.clientHeight
  );
}

function computeBounds(layout: FlowLayout): { readonly width: number; readonly height: number } {
  let width = 1;
  let height = 1;
  for (const { x, y, width: w, height: h } of layout.values()) {
    width = Math.max(width, x + w);
    height = Math.max(height, y + h);
  }
  return { width, height };
}

type NodeOptions = Pick<FlowCanvasProps, 'marked' | 'selected' | 'onToggle' | 'onShowAll'>;

function buildCanvasNodes(graph: FlowGraphData, layout: FlowLayout, options: NodeOptions): CanvasNode[] {
  const someFailed = graph.nodes.some(({ errorPath }) => errorPath === 'failed');
  const ports = placeBracePorts(graph, layout);
  return graph.nodes.flatMap((card): CanvasNode[] => {
    const box = layout.get(card.id);
    if (box === undefined) return [];
    const { x, y, width, height } = box;
    const braced = ports.get(card.id) ?? [];
    // If the canvas knows the ends of all arrows in advance, it draws only what is in view, even in the first render.
    const base = { id: card.id, position: { x, y }, width, height, handles: listPorts(card, height, braced) };
    const state = {
      faded: someFailed && card.errorPath === undefined,
      selected: card.id === options.selected,
      marked: card.kind === 'entry' && hasMarked(card.entry, options.marked),
    };
    switch (card.kind) {
      case 'entry':
        return [
          {
            ...base,
            type: 'entry',
            selected: state.selected,
            ariaLabel: `${describeEntry(card.entry).sentence}${state.marked ? ', has the value that you follow' : ''}`,
            data: { ...state, card, onToggle: options.onToggle },
          },
        ];
      case 'more':
        return [
          { ...base, type: 'more', focusable: false, data: { ...state, card, onShowAll: options.onShowAll } },
        ];
      default:
        return [
          {
            ...base,
            type: 'brace',
            focusable: false,
            selectable: false,
            data: { ...state, card, ports: braced },
          },
        ];
    }
  });
}

/** Returns, for each brace, the positions at which the arrows of its branches meet the brace. */
function placeBracePorts(graph: FlowGraphData, layout: FlowLayout): ReadonlyMap<string, readonly Port[]> {
  const kinds = new Map(graph.nodes.map((node) => [node.id, node.kind]));
  const ports = new Map<string, Port[]>();
  const add = (brace: string, card: string) => {
    const from = layout.get(brace)?.x ?? 0;
    const port = { id: card, left: (layout.get(card)?.x ?? 0) - from + PORT_LEFT };
    const before = ports.get(brace);
    if (before === undefined) ports.set(brace, [port]);
    else before.push(port);
  };
  for (const { source, target } of graph.edges) {
    if (kinds.get(source) === 'fork') add(source, target);
    if (kinds.get(target) === 'join') add(target, source);
  }
  return ports;
}

function buildCanvasEdges(graph: FlowGraphData): Edge[] {
  const someFailed = graph.nodes.some(({ errorPath }) => errorPath === 'failed');
  const kinds = new Map(graph.nodes.map((node) => [node.id, node.kind]));
  return graph.edges.map(({ id, source, target, errorPath }) => ({
    id,
    source,
    target,
    type: 'smoothstep',
    pathOptions: ARROW,
    ...(kinds.get(source) === 'fork' ? { sourceHandle: target } : {}),
    ...(kinds.get(target) === 'join' ? { targetHandle: source } : {}),
    markerEnd: {
      type: MarkerType.ArrowClosed,
      width: 16,
      height: 16,
      color: chooseColour(errorPath),
    },
    className: errorPath ?? '',
    ...(someFailed && errorPath === undefined ? { style: { opacity: 0.6 } } : {}),
  }));
}

function selectEntry(graph: FlowGraphData, id: string, onSelect: (key: string) => void): void {
  if (graph.nodes.some((node) => node.id === id && node.kind === 'entry')) onSelect(id);
}

function mapColour(node: CanvasNode): string {
  const card: FlowNode = node.data.card;
  if (card.kind !== 'entry') return 'transparent';
  return chooseColour(card.errorPath);
}

function chooseColour(errorPath: ErrorPath): string {
  if (errorPath === undefined) return 'var(--surface-control)';
  return errorPath === 'failed' ? 'var(--tone-red-fill)' : 'var(--surface-dim)';
}
