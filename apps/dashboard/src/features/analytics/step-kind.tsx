import type { StepType } from '@throughline/contract';
import { stepHue } from '../../shell/tones.ts';
import { StepTypeIcon } from '../../visuals/steps/step-type.tsx';

/** What kind of step it is: icon, hue and word. */
export function StepKind({ type = 'custom' }: { readonly type?: StepType | undefined }) {
  return (
    <span style={{ color: stepHue(type), whiteSpace: 'nowrap' }}>
      <StepTypeIcon type={type} /> {type}
    </span>
  );
}
