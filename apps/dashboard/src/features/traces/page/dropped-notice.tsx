import type { Trace } from '@throughline/contract';
import { lostText } from '../parts/lost-parts.ts';
import classes from './trace-dialog.module.css';

/** Shows which steps or whole bodies a recording limit cut off. Nothing if only single values are missing, which are marked in place. */
export function DroppedNotice({ trace }: { readonly trace: Trace }) {
  const text = lostText(trace);
  return text !== undefined && <p className={classes.dropped}>Truncated by recording limits: {text}.</p>;
}
