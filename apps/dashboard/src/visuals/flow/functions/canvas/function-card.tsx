import { IconRepeat } from '@tabler/icons-react';
import { chooseDurationTone, SLOW_MS } from '@throughline/contract';
import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { formatToneColour, stepHue } from '../../../../shell/theme/tones.ts';
import { OutcomeIcon } from '../../../steps/outcome-icon.tsx';
import { StepTypeIcon } from '../../../steps/step-type.tsx';
import { describeFollowed, FollowedMark } from '../../followed-mark.tsx';
import type { CallGraph, FunctionCalls } from '../calls/call-graph.ts';
import { describeCalls, describeFunction } from '../calls/function-words.ts';
import classes from './function-graph.module.css';

/** A value to show on a card: an argument of the call, or its error. */
export interface CardValue {
  readonly name: string;
  readonly text: string;
}

/** A card's emphasis: on the path to the failure, highlighted, or neither. */
export type CardTone = 'failing' | 'lit' | 'faded';

/** A type alias, because the canvas library requires an implicit index signature, which an interface does not have. */
type CardData = {
  readonly graph: CallGraph;
  readonly called: FunctionCalls;
  readonly tone: CardTone;
  /** True for the single card that the Tab key reaches. */
  readonly isCursor: boolean;
  readonly values: readonly CardValue[] | undefined;
  /** Positions of the function in the numbered path of the followed value; undefined if the function is not on the path. */
  readonly followed: readonly number[] | undefined;
  readonly onSelect: (called: FunctionCalls) => void;
};
export type FunctionFlowNode = Node<CardData, 'entry'>;

/** The card of a function: type, name, number of calls, total time, self time, and number of calls that threw. */
const FunctionCard = memo(({ data, selected }: NodeProps<FunctionFlowNode>) => {
  const { graph, called, tone, isCursor, values, followed, onSelect } = data;
  const words = describeFunction(called);
  const { stepType } = called.first.step;
  return (
    <button
      type="button"
      className={classes.card}
      data-function={called.id}
      data-tone={tone}
      data-outcome={called.outcome}
      aria-current={selected}
      data-followed={followed !== undefined}
      aria-label={
        followed === undefined ? words.sentence : `${words.sentence}, ${describeFollowed(followed)}`
      }
      aria-description={describeCalls(called, graph)}
      tabIndex={isCursor ? 0 : -1}
      style={{ '--hue': stepHue(stepType) }}
      onClick={() => onSelect(called)}
    >
      <span className={classes.name}>
        <StepTypeIcon type={stepType} />
        <span className={classes.text} title={words.name}>
          {words.name}
        </span>
        {followed !== undefined && <FollowedMark numbers={followed} />}
        {called.outcome !== 'ended' && <OutcomeIcon outcome={called.outcome} isDecorative />}
      </span>
      <span className={classes.facts}>
        {words.times !== undefined && <b>{words.times}</b>}
        {called.recursive > 0 && <IconRepeat size={13} aria-hidden />}
        <span
          style={
            called.totalMs > SLOW_MS
              ? { color: formatToneColour(chooseDurationTone(called.totalMs)) }
              : undefined
          }
        >
          {words.total}
        </span>
        {words.self !== words.total && <span className={classes.self}>self {words.self}</span>}
        {words.thrown !== undefined && <span className={classes.mark}>{words.thrown}</span>}
      </span>
      {values !== undefined && values.length > 0 && <CardValues values={values} />}
    </button>
  );
});

function CardValues({ values }: { readonly values: readonly CardValue[] }) {
  const error = values.find(({ name }) => name === 'threw');
  const inputs = values.filter((value) => value !== error);
  const words = inputs.map(({ name, text }) => (name === '…' ? `… ${text}` : `${name}: ${text}`)).join(', ');
  // Each line ends in an ellipsis if it does not fit.
  return (
    <span className={classes.values}>
      {inputs.length > 0 && <span title={words}>{words}</span>}
      {error !== undefined && (
        <span className={classes.mark} title={error.text}>
          {error.text}
        </span>
      )}
    </span>
  );
}

export const FUNCTION_NODE_TYPES = { entry: FunctionCard };
