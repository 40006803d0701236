import type { Trace } from '@throughline/contract';
import { describeLostParts } from '../parts/lost-parts.ts';
import classes from './trace-dialog.module.css';

/**
 * Shows how many steps and which whole bodies were not recorded because of a limit. Renders nothing if only single values are missing,
 * which are marked in the values themselves.
 */
export function DroppedNotice({ trace }: { readonly trace: Trace }) {
  const text = describeLostParts(trace);
  return text !== undefined && <p className={classes.dropped}>Not recorded because of limits: {text}.</p>;
}
