import { findSource, type SourceFunction, type Step } from '@throughline/contract';
import { isOwnCode } from '../../../visuals/steps/own-code.ts';
import { isFunction } from '../parts/missing-values.ts';
import { isFromSdk, type TraceOfStep } from '../parts/no-values.ts';

/**
 * Lists the possible reasons why functions of the user's own code have no source code. Which reason applies is unknown, because a trace
 * contains neither the SDK's settings nor its version. Returns undefined if all of these functions have source code, and for traces that
 * the SDK did not send.
 */
export function describeMissingSource(
  steps: readonly Step[],
  trace: TraceOfStep,
  getFunctions: (file: string) => readonly SourceFunction[],
): string | undefined {
  if (!isFromSdk(trace)) return undefined;
  const own = steps.filter((step) => isFunction(step) && isOwnCode(step) && step.lineNumber !== null);
  const places = new Map(own.map((step) => [`${step.lineNumber} ${step.filePath}`, step]));
  const without = [...places.values()].filter(
    (step) => findSource(getFunctions(step.filePath ?? ''), step) === undefined,
  );
  if (without.length === 0) return undefined;
  const which = without.length === places.size ? '' : ' for some functions';
  return `No source code was sent${which}: either it is turned off (source: false, capture mode structure or redact: 'all-values'), or the file was missing, minified, too long, not read yet or changed since the service started, or the SDK is an older version.`;
}
