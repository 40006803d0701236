import type { ComparisonStatement, Step } from '@throughline/contract';
import { flatten } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep } from '../texts/write-values.ts';

/** Minimum number of other times in members of the same name. With fewer, the usual unit is unknown. */
const MIN_TIMES = 3;
/** Times between the years 2000 and 2100, in seconds and in milliseconds. */
const SECONDS = { from: 946_684_800, until: 4_102_444_800 } as const;

/** Finds a result with a time in seconds, if members of the same name have times in milliseconds in other requests, or the reverse. */
export function findTimeUnit(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
): ComparisonStatement | undefined {
  const times = steps.flatMap((step) => listTimes(step).map((time) => ({ step, ...time })));
  if (times.length === 0) return undefined;
  const units = new Map<string, string[]>();
  for (const { name, unit } of goods.flat().flatMap(listTimes)) {
    const known = units.get(name);
    if (known === undefined) units.set(name, [unit]);
    else known.push(unit);
  }
  for (const { step, name, value, unit } of times) {
    const known = units.get(name) ?? [];
    if (known.length < MIN_TIMES || known.includes(unit)) continue;
    return {
      text: `\`${nameStep(step)}\` returned ${value} for \`${name}\`, a time in ${unit}; in other requests \`${name}\` is a time in ${known[0]}`,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

interface Time {
  readonly name: string;
  readonly value: number;
  readonly unit: 'seconds' | 'milliseconds';
}

function listTimes(step: Step): Time[] {
  if (step.error !== null) return [];
  return flatten(readResult(step)).flatMap(({ path, value }): Time[] => {
    const name = path.findLast((key) => typeof key === 'string');
    if (typeof name !== 'string' || typeof value !== 'number') return [];
    if (isWithin(value)) return [{ name, value, unit: 'seconds' }];
    return isWithin(value / 1000) ? [{ name, value, unit: 'milliseconds' }] : [];
  });
}

function isWithin(seconds: number): boolean {
  return seconds >= SECONDS.from && seconds <= SECONDS.until;
}
