import { OutcomeIcon } from '../steps/outcome-icon.tsx';
import { type StepOutcome, THROWN_WORDS } from '../steps/step-outcome.ts';
import classes from './flow-graph.module.css';

/** Marks a step that threw itself, with words. Renders nothing for other steps. */
export function OutcomeMark({ outcome }: { readonly outcome: StepOutcome }) {
  if (outcome === 'ended') return null;
  return (
    <span className={classes.mark} data-outcome={outcome}>
      <OutcomeIcon outcome={outcome} size={13} isDecorative />
      {THROWN_WORDS[outcome]}
    </span>
  );
}
