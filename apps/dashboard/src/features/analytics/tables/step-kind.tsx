import type { StepType } from '@throughline/contract';
import { stepHue } from '../../../shell/theme/tones.ts';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import classes from '../analytics.module.css';

/** Shows the type of a step: icon, colour and name. */
export function StepKind({ type = 'custom' }: { readonly type?: StepType | undefined }) {
  return (
    <span className={classes.kind} style={{ color: stepHue(type) }}>
      <StepTypeIcon type={type} />
      {type}
    </span>
  );
}
