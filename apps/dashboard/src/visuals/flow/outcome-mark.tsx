import { OutcomeIcon } from '../steps/outcome-icon.tsx';
import { SHORT_THROWN_WORDS, type StepOutcome, THROWN_WORDS } from '../steps/step-outcome.ts';
import classes from './flow-graph.module.css';

interface OutcomeMarkProps {
  readonly outcome: StepOutcome;
  /** True on a card, which has little space. */
  readonly isShort?: boolean;
}

/** Marks a step that threw with an icon and words, such as "failed". Renders nothing for other steps. */
export function OutcomeMark({ outcome, isShort = false }: OutcomeMarkProps) {
  if (outcome === 'ended') return null;
  return (
    <span className={classes.mark} data-outcome={outcome}>
      <OutcomeIcon outcome={outcome} size={13} isDecorative />
      {(isShort ? SHORT_THROWN_WORDS : THROWN_WORDS)[outcome]}
    </span>
  );
}
