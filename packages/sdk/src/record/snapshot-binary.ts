import type { TaggedValue } from '@throughline/contract/values';
import type { CaptureLimits } from './limits.ts';
import type { SnapshotBudget } from './snapshot-budget.ts';
import {
  allocateBuffer,
  arrayBufferLength,
  bufferToString,
  bytesOf,
  dataViewBuffer,
  dataViewLength,
  dataViewOffset,
  isAnyArrayBuffer,
  isDataView,
  isSharedArrayBuffer,
  isTypedArray,
  isUint8Array,
  reflectGet,
  sharedBufferLength,
  typedArrayLength,
} from './snapshot-intrinsics.ts';
import { captureBigint, captureNumber } from './snapshot-primitive.ts';

/** A Buffer, typed array, DataView or ArrayBuffer: its first elements. A detached one has none. */
export function captureBinary(
  budget: SnapshotBudget,
  limits: CaptureLimits,
  value: object,
  name: string,
): TaggedValue {
  if (isUint8Array(value) && name === 'Buffer') return captureBuffer(budget, limits, value);
  const elements = elementsOf(value);
  const length = elements === undefined ? 0 : lengthOf(elements);
  if (!budget.hasRoom(160)) return budget.cut(name, 'bytes', length, length);
  budget.left -= 160;
  const values: (number | TaggedValue)[] = [];
  const end = Math.min(length, limits.items);
  let index = 0;
  for (; index < end && budget.hasRoom(1); index++) {
    budget.left -= 1;
    values[index] = captureElement(budget, elements, index);
  }
  if (index < length) budget.noteCut(length - index);
  return { $type: 'TypedArray', class: name, length, values };
}

function captureBuffer(budget: SnapshotBudget, limits: CaptureLimits, value: Uint8Array): TaggedValue {
  const size = lengthOf(value);
  // As many bytes as fill the length of a string, in whole groups of three.
  const shown = Math.min(size, Math.floor(limits.stringLength / 4) * 3);
  const bytes = Math.ceil(shown / 3) * 4 + 60;
  if (!budget.hasRoom(bytes)) return budget.cut('Buffer', 'bytes', size, size);
  budget.left -= bytes;
  if (shown < size) budget.noteCut(size - shown);
  return { $type: 'Buffer', size, base64: shown === 0 ? '' : base64(value, shown) };
}

/** Byte by byte into a Buffer of our own: Node's functions look things up on the ones that they are given. */
function base64(bytes: Uint8Array, size: number): string {
  const copy = allocateBuffer(size);
  for (let index = 0; index < size; index++) copy[index] = bytes[index] ?? 0;
  return bufferToString(copy, 'base64');
}

function lengthOf(value: object): number {
  const length = typedArrayLength(value);
  return typeof length === 'number' ? length : 0;
}

/** Something whose elements can be read by index: typed arrays as they are, buffers and views as bytes. */
function elementsOf(value: object): object | undefined {
  if (isTypedArray(value)) return value;
  try {
    if (isDataView(value)) {
      return bytesIn(dataViewBuffer(value), dataViewOffset(value), dataViewLength(value));
    }
    return bytesIn(
      value,
      0,
      isSharedArrayBuffer(value) ? sharedBufferLength(value) : arrayBufferLength(value),
    );
  } catch {
    // A view on a buffer that was detached or has shrunk.
    return undefined;
  }
}

function bytesIn(memory: unknown, offset: unknown, length: unknown): object | undefined {
  if (!isAnyArrayBuffer(memory) || typeof offset !== 'number' || typeof length !== 'number') return undefined;
  return new bytesOf(memory, offset, length);
}

/** Elements of a typed array are its own and never accessors. */
function captureElement(
  budget: SnapshotBudget,
  elements: object | undefined,
  index: number,
): number | TaggedValue {
  const element: unknown = elements === undefined ? undefined : reflectGet(elements, index);
  if (typeof element === 'number') {
    return captureNumber(budget, element);
  }
  return captureBigint(budget, typeof element === 'bigint' ? element : 0n);
}
