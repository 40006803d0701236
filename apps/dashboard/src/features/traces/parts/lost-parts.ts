import { formatCounted, type Trace, type TracePart } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import { getPart, hasRequestBody, hasResponseBody } from './missing-part.ts';

/**
 * Describes the steps and bodies that are missing from a trace because the recording reached a limit. Returns undefined if none are
 * missing. Single missing values are marked in the value tree instead.
 */
export function describeLostParts(trace: Trace): string | undefined {
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
  // The server stores this part and sends it when the user opens it.
  if (trace.leftOut?.some((each) => each.part === part) === true) return false;
  const value = getPart(trace, part);
  if (value === undefined) return existed === true && trace.dropped.bytes > 0;
  const shape = classifyValue(value);
  // The content of an image or other binary file is never recorded, whatever its size.
  return shape.kind === 'form' && shape.form.$type === 'cut' && TEXT.test(shape.form.of);
}
