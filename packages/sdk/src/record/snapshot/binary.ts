import { CUT_MARGIN } from '@throughline/contract/redaction';
import { buildFragment } from '../writer/json-writer.ts';
import {
  allocateBuffer,
  arrayBufferLength,
  ByteArray,
  bufferToString,
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
  sliceString,
  typedArrayLength,
} from '../writer/primordials.ts';
import { formatRedactedMarker } from './hidden.ts';
import { captureBigint, captureNumber } from './primitive.ts';
import type { ValueWalk } from './walk.ts';

const typedArray = buildFragment('{"$type":"TypedArray","class":');
const lengthIs = buildFragment(',"length":');
const valuesAre = buildFragment(',"values":[');
const buffer = buildFragment('{"$type":"Buffer","size":');
const base64Is = buildFragment(',"base64":"');
const closing = buildFragment('},');
const bufferClosing = buildFragment('"},');
const CLOSE_LIST = 0x5d;

/** Captures the first elements of a Buffer, typed array, DataView or ArrayBuffer. A detached buffer has no elements. */
export function captureBinary(walk: ValueWalk, value: object, name: string): void {
  if (isUint8Array(value) && name === 'Buffer') {
    captureBuffer(walk, value);
    return;
  }
  const { budget, limits } = walk;
  const { writer } = budget;
  const elements = viewElements(value);
  const length = elements === undefined ? 0 : readLength(elements);
  if (!budget.hasRoom(160)) {
    budget.cut(name, 'bytes', length, length);
    return;
  }
  writer.fragment(typedArray);
  writer.string(name);
  writer.fragment(lengthIs);
  writer.number(length);
  writer.fragment(valuesAre);
  budget.open();
  const end = walk.hidesAll ? 0 : Math.min(length, limits.items);
  let index = 0;
  for (; index < end && budget.hasRoom(1); index++) captureElement(walk, elements, index);
  if (index < length) budget.noteCut(length - index);
  budget.close();
  writer.close(CLOSE_LIST);
  writer.end--;
  writer.fragment(closing);
}

function captureBuffer(walk: ValueWalk, value: Uint8Array): void {
  const { budget, limits } = walk;
  const { writer } = budget;
  if (walk.hidesAll) {
    writer.fragment(formatRedactedMarker('Buffer'));
    return;
  }
  const size = readLength(value);
  // Number of bytes that fit into the string limit as base64, in whole groups of three.
  const shown = Math.min(size, Math.floor(limits.stringLength / 4) * 3);
  const bytes = Math.ceil(shown / 3) * 4 + 60;
  if (!budget.hasRoom(bytes)) {
    budget.cut('Buffer', 'bytes', size, size);
    return;
  }
  const read = copyBytes(value, Math.min(size, shown + CUT_MARGIN));
  const text = shown === 0 ? '' : bufferToString(read, 'base64', 0, shown);
  if (walk.redactor?.holdsSecret(text, walk.noted) === true || endsInSecret(walk, read, shown)) {
    writer.fragment(formatRedactedMarker('Buffer'));
    return;
  }
  writer.fragment(buffer);
  writer.number(size);
  writer.fragment(base64Is);
  writer.ascii(text);
  writer.fragment(bufferClosing);
  if (shown < size) budget.noteCut(size - shown);
}

/** True if the shown bytes end within a secret, which only the bytes after the shown bytes make recognizable. */
function endsInSecret(walk: ValueWalk, read: Buffer, shown: number): boolean {
  if (shown === 0 || shown === typedArrayLength(read)) return false;
  const text = bufferToString(read, 'latin1');
  return walk.shorten(text, shown) !== sliceString(text, 0, shown);
}

/** Copies byte by byte into a new Buffer, because Node's functions look up properties on the buffers they receive. */
function copyBytes(bytes: Uint8Array, size: number): Buffer {
  const copy = allocateBuffer(size);
  for (let index = 0; index < size; index++) copy[index] = bytes[index] ?? 0;
  return copy;
}

function readLength(value: object): number {
  const length = typedArrayLength(value);
  return typeof length === 'number' ? length : 0;
}

/** Returns an object whose elements can be read by index: a typed array itself, or the bytes of another buffer or view. */
function viewElements(value: object): object | undefined {
  if (isTypedArray(value)) return value;
  try {
    if (isDataView(value)) {
      return viewBytes(dataViewBuffer(value), dataViewOffset(value), dataViewLength(value));
    }
    return viewBytes(
      value,
      0,
      isSharedArrayBuffer(value) ? sharedBufferLength(value) : arrayBufferLength(value),
    );
  } catch {
    // The buffer of the view was detached or has shrunk.
    return undefined;
  }
}

function viewBytes(memory: unknown, offset: unknown, length: unknown): object | undefined {
  if (!isAnyArrayBuffer(memory) || typeof offset !== 'number' || typeof length !== 'number') return undefined;
  return new ByteArray(memory, offset, length);
}

/** Captures one element. The elements of a typed array are own data properties, never accessors. */
function captureElement(walk: ValueWalk, elements: object | undefined, index: number): void {
  const element: unknown = elements === undefined ? undefined : reflectGet(elements, index);
  if (typeof element === 'number') captureNumber(walk, element);
  else captureBigint(walk, typeof element === 'bigint' ? element : 0n);
}
