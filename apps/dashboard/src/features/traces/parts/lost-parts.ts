import { formatCounted, type Trace, type TracePart } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import { getPart, hasRequestBody, hasResponseBody } from './missing-part.ts';

/**
 * Describes the parts of a trace that are wholly missing since its recording reached a limit; undefined where nothing is. Single values are marked where they are
 * missing.
 */
export function lostText(trace: Trace): string | undefined {
  const { steps } = trace.dropped;
  const lost = [
    steps > 0 && formatCounted(steps, 'step'),
    isLost(trace, 'request.body', hasRequestBody(trace.request)) && 'the request body',
    isLost(trace, 'response.body', hasResponseBody(trace)) && 'the response body',
  ].filter((part) => part !== false);
  if (lost.length === 0) return undefined;
  const last = lost.at(-1);
  return lost.length === 1 ? last : `${lost.slice(0, -1).join(', ')} and ${last}`;
}

const TEXT = /^text\/|json|xml|x-www-form-urlencoded|^body$/;

function isLost(trace: Trace, part: TracePart, existed: boolean | undefined): boolean {
  // The part is stored, and loaded when it is opened.
  if (trace.leftOut?.some((each) => each.part === part) === true) return false;
  const value = getPart(trace, part);
  if (value === undefined) return existed === true && trace.dropped.bytes > 0;
  const shape = classifyValue(value);
  // The content of an image or other binary file is never recorded, whatever its size.
  return shape.kind === 'form' && shape.form.$type === 'cut' && TEXT.test(shape.form.of);
}
