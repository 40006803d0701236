import { durationTone, SLOW_MS } from '@throughline/contract';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { stepHue, toneColour } from '../../shell/tones.ts';
import { firstNode } from '../steps/fold-repeats.ts';
import { StepTypeIcon } from '../steps/step-type.tsx';
import { wordsOf } from './entry-words.ts';
import type { Brace, EntryCard, MoreCard } from './flow-data.ts';
import classes from './flow-graph.module.css';

/** A type, not an interface: the canvas asks for an index signature. */
type CardState = { readonly faded: boolean; readonly selected: boolean };

export type EntryFlowNode = Node<
  CardState & { readonly card: EntryCard; readonly onToggle: (key: string) => void },
  'entry'
>;
export type MoreFlowNode = Node<
  CardState & { readonly card: MoreCard; readonly onShowAll: (owner: string) => void },
  'more'
>;
export type BraceFlowNode = Node<CardState & { readonly card: Brace }, 'brace'>;
export type CanvasNode = EntryFlowNode | MoreFlowNode | BraceFlowNode;

const Handles = () => (
  <>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </>
);

/** One step or bundle: number, name, type with its icon, duration, and what is folded below it. */
const EntryView = memo(({ data }: NodeProps<EntryFlowNode>) => {
  const { card, faded, selected, onToggle } = data;
  const words = wordsOf(card.entry);
  const { stepType } = firstNode(card.entry).step;
  const look = [
    classes.card,
    faded && classes.faded,
    selected && classes.selected,
    words.failure !== undefined && classes.failed,
    words.times !== undefined && card.open !== true && classes.stacked,
  ].filter((name) => typeof name === 'string');
  return (
    <div className={look.join(' ')} title={words.sentence}>
      <Handles />
      <span className={classes.number}>{words.number}</span>
      <span className={classes.name}>{words.name}</span>
      <span
        className={classes.duration}
        style={words.durationMs > SLOW_MS ? { color: toneColour(durationTone(words.durationMs)) } : {}}
      >
        {words.duration}
      </span>
      <span className={classes.type} style={{ color: stepHue(stepType) }}>
        <StepTypeIcon type={stepType} />
        {words.type}
        {words.times !== undefined && <span className={classes.times}>{words.times}</span>}
        {words.failure !== undefined && <span className={classes.mark}>✕ failed</span>}
      </span>
      {card.open !== undefined && (
        <button
          type="button"
          className={`${classes.fold} nodrag nopan`}
          aria-label={`${card.open ? 'Fold' : 'Show'} ${card.below} steps below ${words.name}`}
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

const MoreView = memo(({ data }: NodeProps<MoreFlowNode>) => (
  <button
    type="button"
    className={`${classes.more} nodrag nopan ${data.faded ? classes.faded : ''}`}
    onClick={() => data.onShowAll(data.card.owner)}
  >
    <Handles />… {data.card.count.toLocaleString('en-US')} more: show all
  </button>
));

const BraceView = memo(({ data }: NodeProps<BraceFlowNode>) => (
  <div
    className={`${data.card.kind === 'fork' ? classes.fork : classes.join} ${data.faded ? classes.faded : ''}`}
  >
    <Handles />
    {data.card.kind === 'fork' && `${data.card.count} side by side`}
  </div>
));

export const FLOW_NODE_TYPES = { entry: EntryView, more: MoreView, brace: BraceView };
