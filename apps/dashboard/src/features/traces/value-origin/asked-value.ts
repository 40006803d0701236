import type { CapturedValue } from '@throughline/contract';
import { MAX_VALUE_PATH, type ValuePath, ValuePlace } from '@throughline/contract';
import { listParts, readPartKey } from '@throughline/contract/captured';
import { z } from 'zod';

/** The value that is followed: a place in a step, or in the request itself. */
export interface AskedValue {
  /** Null for a part of the request itself. */
  readonly stepId: string | null;
  readonly place: ValuePlace;
  readonly path: ValuePath;
}

const Written = z.tuple([z.string().nullable(), ValuePlace], z.union([z.string(), z.number()]));

/** Writes the followed value for the address; undefined for one that is too deep for it. */
export function writeAsked({ stepId, place, path }: AskedValue): string | undefined {
  const text = JSON.stringify([stepId, place, ...path]);
  return text.length <= MAX_VALUE_PATH ? text : undefined;
}

/** Reads the followed value from the address; undefined where it names none. */
export function readAsked(text: string | undefined): AskedValue | undefined {
  if (text === undefined) return undefined;
  const read = Written.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const [stepId, place, ...path] = read.data;
  return { stepId, place, path };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Finds the path to a line of a value's tree. The line's key counts the parts on its way: `/0/3`, or `$/3` where the whole is a line, too. */
export function findPathOfLine(whole: CapturedValue, key: string): ValuePath | undefined {
  const path: (string | number)[] = [];
  let at = whole;
  for (const index of key.replace(/^\$/, '').split('/').slice(1)) {
    const child = listParts(at).children[Number(index)];
    if (child === undefined) return undefined;
    path.push(readPartKey(child, Number(index)));
    at = child.value;
  }
  return path;
}
