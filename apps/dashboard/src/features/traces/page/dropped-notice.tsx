import type { Trace } from '@throughline/contract';
import { describeLostParts } from '../parts/lost-parts.ts';
import { explainSentWithout } from '../parts/no-values.ts';
import classes from './trace-dialog.module.css';

/**
 * Shows how many steps and which whole bodies were not recorded because of a limit, and why a request has no values at all. Renders
 * nothing if only single values are missing, which are marked in the values themselves.
 */
export function DroppedNotice({ trace }: { readonly trace: Trace }) {
  const lost = describeLostParts(trace);
  const why = explainSentWithout(trace);
  return (
    <>
      {why !== undefined && <p className={classes.dropped}>This request was {why}.</p>}
      {lost !== undefined && <p className={classes.dropped}>Not recorded because of limits: {lost}.</p>}
    </>
  );
}
