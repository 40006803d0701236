import { chooseDurationTone, formatCounted, SLOW_MS } from '@throughline/contract';
import { Handle, type Node, type NodeHandle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { formatToneColour, stepHue } from '../../shell/theme/tones.ts';
import { findFirstNode } from '../steps/analysis/bundle-repeats.ts';
import { StepTypeIcon } from '../steps/step-type.tsx';
import { describeEntry } from './entry-words.ts';
import classes from './flow-graph.module.css';
import type { Brace, EntryCard, FlowNode, HiddenSiblings } from './flow-types.ts';
import { FollowedMark } from './followed-mark.tsx';
import { OutcomeMark } from './outcome-mark.tsx';

/** A type alias, because the canvas library requires an implicit index signature, which an interface does not have. */
type CardState = { readonly faded: boolean; readonly selected: boolean; readonly marked: boolean };

export type EntryFlowNode = Node<
  CardState & { readonly card: EntryCard; readonly onToggle: (key: string) => void },
  'entry'
>;
export type MoreFlowNode = Node<
  CardState & { readonly card: HiddenSiblings; readonly onShowAll: (owner: string) => void },
  'more'
>;
/** The point at which an arrow meets a brace: `id` is the port's id, `left` the distance from the brace's left edge. */
export interface Port {
  readonly id: string;
  readonly left: number;
}
export type BraceFlowNode = Node<
  CardState & { readonly card: Brace; readonly ports: readonly Port[] },
  'brace'
>;
export type CanvasNode = EntryFlowNode | MoreFlowNode | BraceFlowNode;

/** The horizontal position of a card's arrows: near the left edge, so that the arrows of a branch form a line. Pixels. */
export const PORT_LEFT = 24;
const AT_PORT = { left: PORT_LEFT };

/** Returns the points at which arrows meet a card of this height: the positions that the handles have once they are drawn. */
export function listPorts(card: FlowNode, height: number, braced: readonly Port[]): NodeHandle[] {
  const at = (type: NodeHandle['type'], x: number, id?: string): NodeHandle => ({
    type,
    position: type === 'target' ? Position.Top : Position.Bottom,
    // A handle is one pixel wide, and its middle is on the edge.
    x: x - 0.5,
    y: (type === 'target' ? 0 : height) - 0.5,
    width: 1,
    height: 1,
    ...(id === undefined ? {} : { id }),
  });
  switch (card.kind) {
    case 'fork':
      return [at('target', PORT_LEFT), ...braced.map(({ id, left }) => at('source', left, id))];
    case 'join':
      return [...braced.map(({ id, left }) => at('target', left, id)), at('source', PORT_LEFT)];
    default:
      return [at('target', PORT_LEFT), at('source', PORT_LEFT)];
  }
}

const TopPort = () => <Handle type="target" position={Position.Top} isConnectable={false} style={AT_PORT} />;
const BottomPort = () => (
  <Handle type="source" position={Position.Bottom} isConnectable={false} style={AT_PORT} />
);
const Handles = () => (
  <>
    <TopPort />
    <BottomPort />
  </>
);

/** The card of a step or bundle: number, name, type with icon, duration, and the number of collapsed steps. */
const EntryView = memo(({ data }: NodeProps<EntryFlowNode>) => {
  const { card, faded, selected, marked, onToggle } = data;
  const words = describeEntry(card.entry);
  const { stepType } = findFirstNode(card.entry).step;
  const look = [
    classes.card,
    faded && !marked && classes.faded,
    marked && classes.marked,
    selected && classes.selected,
    words.outcome === 'failed' && classes.failed,
    words.times !== undefined && card.open !== true && classes.stacked,
  ].filter((name) => typeof name === 'string');
  return (
    <div className={look.join(' ')} title={words.sentence} style={{ '--hue': stepHue(stepType) }}>
      <Handles />
      <span className={classes.number}>{words.number}</span>
      <span className={classes.name}>{words.name}</span>
      <span
        className={classes.duration}
        style={
          words.durationMs > SLOW_MS ? { color: formatToneColour(chooseDurationTone(words.durationMs)) } : {}
        }
      >
        {words.duration}
      </span>
      <span className={classes.type}>
        <StepTypeIcon type={stepType} />
        <span className={classes.typeName}>{words.type}</span>
        {words.times !== undefined && <span className={classes.times}>{words.times}</span>}
        <OutcomeMark outcome={words.outcome} isShort />
        {marked && <FollowedMark />}
      </span>
      {card.open !== undefined && (
        <button
          type="button"
          className={`${classes.fold} nodrag nopan`}
          aria-label={`${card.open ? 'Fold' : 'Show'} ${formatCounted(card.below, 'step')} below ${words.name}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(card.id);
          }}
        >
          {card.open ? '−' : `+${card.below.toLocaleString('en-US')}`}
        </button>
      )}
    </div>
  );
});

const MoreView = memo(({ data }: NodeProps<MoreFlowNode>) => {
  const words = `Show ${data.card.count.toLocaleString('en-US')} more`;
  return (
    <button
      type="button"
      className={`${classes.more} nodrag nopan ${data.faded ? classes.faded : ''}`}
      aria-label={words}
      onClick={() => data.onShowAll(data.card.owner)}
    >
      <Handles />
      <span>{words}</span>
    </button>
  );
});

/** The bar at which branches split or join. It has one port for each branch, directly above or below the branch's cards. */
const BraceView = memo(({ data }: NodeProps<BraceFlowNode>) => {
  const { card, faded, ports } = data;
  const fork = card.kind === 'fork';
  return (
    <div className={`${fork ? classes.fork : classes.join} ${faded ? classes.faded : ''}`}>
      {fork ? <TopPort /> : <BottomPort />}
      {ports.map(({ id, left }) => (
        <Handle
          key={id}
          id={id}
          type={fork ? 'source' : 'target'}
          position={fork ? Position.Bottom : Position.Top}
          isConnectable={false}
          style={{ left }}
        />
      ))}
      {fork && <span>{card.count} in parallel</span>}
    </div>
  );
});

export const FLOW_NODE_TYPES = { entry: EntryView, more: MoreView, brace: BraceView };
