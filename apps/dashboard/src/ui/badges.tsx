import { durationTone, formatDuration, methodTone, statusTone } from '@throughline/contract';
import { toneColour } from '../shell/tones.ts';
import classes from './badges.module.css';

/** A request's method in its colour. */
export function MethodBadge({ method }: { readonly method: string }) {
  const tone = methodTone(method);
  return (
    <span
      className={classes.method}
      style={{ color: toneColour(tone), background: toneColour(tone, 'soft') }}
    >
      {method}
    </span>
  );
}

/** A response's status in its colour, with a mark that says good or bad without it. No status: no answer was seen. */
export function StatusBadge({ statusCode }: { readonly statusCode: number | null }) {
  const tone = statusTone(statusCode);
  const failed = statusCode === null || statusCode >= 400;
  const solid = tone === 'darkRed';
  return (
    <span
      className={classes.status}
      data-failed={failed}
      style={{
        color: toneColour(tone, solid ? 'onFill' : 'text'),
        backgroundColor: toneColour(tone, solid ? 'fill' : 'soft'),
      }}
    >
      {statusCode ?? 'none'}
    </span>
  );
}

/** A duration, coloured by how slow it is; figures line up. */
export function DurationText({ ms }: { readonly ms: number }) {
  return (
    <span className={classes.duration} style={{ color: toneColour(durationTone(ms)) }}>
      {formatDuration(ms)}
    </span>
  );
}
