import type { Trace } from '@throughline/contract';
import { describeLostParts } from '../parts/lost-parts.ts';
import classes from './trace-dialog.module.css';

/**
 * Shows which steps or whole bodies a recording limit cut off. Renders nothing if only single values are missing, which are marked in the
 * values themselves.
 */
export function DroppedNotice({ trace }: { readonly trace: Trace }) {
  const text = describeLostParts(trace);
  return text !== undefined && <p className={classes.dropped}>Truncated by recording limits: {text}.</p>;
}
