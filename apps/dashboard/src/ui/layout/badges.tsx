import {
  chooseDurationTone,
  chooseMethodTone,
  chooseStatusTone,
  formatDuration,
  isErrorTrace,
  type Tone,
} from '@throughline/contract';
import { formatToneColour } from '../../shell/theme/tones.ts';
import classes from './badges.module.css';

/** A request's method in the method's colour. */
export function MethodBadge({ method }: { readonly method: string }) {
  const tone = chooseMethodTone(method);
  return (
    <span
      className={classes.method}
      style={{ color: formatToneColour(tone), background: formatToneColour(tone, 'soft') }}
    >
      {method}
    </span>
  );
}

/** A state as a coloured label. */
export function StateTag({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  return (
    <span
      className={classes.state}
      style={{ color: formatToneColour(tone), background: formatToneColour(tone, 'soft') }}
    >
      {label}
    </span>
  );
}

/**
 * A response's status, coloured and with a mark that shows success or failure without colour. No status means that no response was
 * recorded.
 */
export function StatusBadge({
  statusCode,
  hasError,
}: {
  readonly statusCode: number | null;
  /** The request's error flag: the request failed, whatever its status. */
  readonly hasError: boolean;
}) {
  const failed = isErrorTrace(statusCode, hasError);
  const byFlag = failed && statusCode !== null && statusCode < 400;
  const tone = byFlag ? 'red' : chooseStatusTone(statusCode);
  const solid = tone === 'darkRed';
  return (
    <span
      className={classes.status}
      data-failed={failed}
      title={byFlag ? 'The request failed, although its status is below 400' : undefined}
      style={{
        color: formatToneColour(tone, solid ? 'onFill' : 'text'),
        backgroundColor: formatToneColour(tone, solid ? 'fill' : 'soft'),
      }}
    >
      {statusCode ?? 'none'}
      {byFlag && <span className="visually-hidden"> failed</span>}
    </span>
  );
}

/** A duration, coloured by how slow it is, with digits of equal width. */
export function DurationText({ ms }: { readonly ms: number }) {
  return (
    <span className={classes.duration} style={{ color: formatToneColour(chooseDurationTone(ms)) }}>
      {formatDuration(ms)}
    </span>
  );
}
