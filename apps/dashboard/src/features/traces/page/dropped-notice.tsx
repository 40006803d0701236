import type { Trace } from '@throughline/contract';
import { lostText } from '../parts/lost-parts.ts';
import classes from './trace-dialog.module.css';

/** Says which steps or whole bodies a limit cut off the recording. Nothing where only values are missing, which are marked in their place. */
export function DroppedNotice({ trace }: { readonly trace: Trace }) {
  const text = lostText(trace);
  return text !== undefined && <p className={classes.dropped}>Truncated by recording limits: {text}.</p>;
}
