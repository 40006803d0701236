import { IconAlertCircle, IconAlertCircleFilled } from '@tabler/icons-react';
import classes from './outcome-icon.module.css';
import { THROWN_WORDS, type ThrownAs } from './step-outcome.ts';

interface OutcomeIconProps {
  readonly outcome: ThrownAs;
  readonly size?: number;
  /** True if the words of the outcome are next to the icon, or in the accessible name of its row. */
  readonly isDecorative?: boolean;
}

/** Marks a step that threw: filled and red if the request failed, an outline if the error was handled. */
export function OutcomeIcon({ outcome, size = 14, isDecorative = false }: OutcomeIconProps) {
  const Icon = outcome === 'failed' ? IconAlertCircleFilled : IconAlertCircle;
  if (isDecorative) return <Icon size={size} className={classes[outcome]} aria-hidden />;
  return <Icon size={size} className={classes[outcome]} role="img" aria-label={THROWN_WORDS[outcome]} />;
}
