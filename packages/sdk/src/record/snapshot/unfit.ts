import { isNativeError, isProxy } from '../writer/primordials.ts';
import { NO_NODE } from './nodes.ts';
import { capturePrimitive } from './primitive.ts';
import type { ValueWalk } from './walk.ts';

/** Size of a marker such as `{"$type":"cut","of":"string","reason":"bytes"},` in bytes. */
const CUT_BYTES = 48;
/** Maximum number of reserved bytes for one error. */
const ERROR_BYTES = 2048;

/**
 * Captures a value after the bytes of its step or request are used up. Shows a value that is smaller than the marker of a cut, and an error
 * if there are reserved bytes. A limit of 0 bytes hides these values, too.
 */
export function captureUnfit(walk: ValueWalk, value: unknown): void {
  const { budget, limits } = walk;
  const { stop } = budget;
  if (limits.stepBytes === 0 || limits.requestBytes === 0) budget.cut(typeof value, 'bytes');
  else if (isSmall(value)) {
    budget.stop = budget.writer.end + CUT_BYTES;
    capturePrimitive(walk, value);
  } else if (typeof value === 'object' && value !== null && !isProxy(value) && isNativeError(value)) {
    budget.lend(ERROR_BYTES);
    walk.visit(value, 0, NO_NODE, '');
  } else budget.cut(typeof value, 'bytes');
  budget.stop = stop;
}

function isSmall(value: unknown): boolean {
  if (typeof value === 'string') return value.length < CUT_BYTES;
  return value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean';
}
