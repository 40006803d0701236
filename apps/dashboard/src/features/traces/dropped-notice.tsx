import type { Trace } from '@throughline/contract';
import { droppedText } from './dropped-text.ts';
import classes from './trace-dialog.module.css';

/** Says that a limit cut the recording, and by how much. */
export function DroppedNotice({ trace }: { readonly trace: Trace }) {
  const text = droppedText(trace.dropped);
  return text !== undefined && <p className={classes.dropped}>Left out by the recording's limits: {text}.</p>;
}
