import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { isNotCaptured } from '@throughline/contract/captured';
import { readMembers, readResult } from '../compare-values.ts';
import { isEqual } from '../judge-difference.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Fewer calls or members could be equal by chance. */
const MIN = { calls: 3, members: 4, objects: 2 } as const;

/**
 * Finds a member of an input that the result has with the value of another input, if the result had the first input's members in all other
 * calls.
 */
export function findBrokenCopy(step: Step, calls: readonly Step[]): ComparisonStatement | undefined {
  const result = readMembers(readResult(step));
  if (result.size === 0 || calls.length < MIN.calls) return undefined;
  const inputs = [...readMembers(step.inputs)];
  for (const [name, input] of inputs) {
    const broken = listCommon(input, result).find(([, given, returned]) => !isEqual(given, returned));
    if (broken === undefined) continue;
    const [key, given, returned] = broken;
    const [winner] = inputs.find(([, other]) => isEqual(readMembers(other).get(key), returned)) ?? [];
    if (winner === undefined || !isCopied(name, calls)) continue;
    return {
      text: `\`${name}.${key}\` is ${writeSide(given)} in \`${nameStep(step)}\`, but the return value has \`${key}\` ${writeSide(returned)} of \`${winner}\`; in other calls the return value always has the members of \`${name}\``,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/** True if all members of an input that results have, too, are equal there. Constant inputs, such as defaults, show nothing. */
function isCopied(name: string, calls: readonly Step[]): boolean {
  const others = calls.map((call) => {
    const input = readMembers(call.inputs).get(name);
    return { input, common: input === undefined ? [] : listCommon(input, readMembers(readResult(call))) };
  });
  const filled = others.filter(({ common }) => common.length > 0);
  const members = filled.flatMap(({ common }) => common);
  const objects = new Set(filled.map(({ input }) => JSON.stringify(input)));
  return (
    filled.length >= MIN.calls &&
    members.length >= MIN.members &&
    objects.size >= MIN.objects &&
    members.every(([, given, returned]) => isEqual(given, returned))
  );
}

function listCommon(
  input: CapturedValue,
  result: ReadonlyMap<string, CapturedValue>,
): (readonly [string, CapturedValue, CapturedValue])[] {
  return [...readMembers(input)].flatMap(([key, given]) => {
    const returned = result.get(key);
    if (returned === undefined || isNotCaptured(given) || isNotCaptured(returned)) return [];
    return [[key, given, returned] as const];
  });
}
