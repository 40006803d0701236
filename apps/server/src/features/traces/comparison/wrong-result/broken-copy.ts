import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { isNotCaptured } from '@throughline/contract/captured';
import { readMembers, readResult } from '../compare-values.ts';
import { isEqual } from '../judge-difference.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/**
 * Minimum numbers of other calls, of members that inputs and results have in common, and of different inputs. With fewer, the members could
 * be equal by chance.
 */
const MIN = { calls: 3, members: 4, objects: 2 } as const;

/**
 * Finds a member that a function copied from the wrong input. In all other calls, the function copied the members of one input, such as
 * `address`, to its result. In this call, a member of the result differs from the member of `address`, and equals the member of another
 * input.
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
      text: `\`${nameStep(step)}\` received ${writeSide(given)} as \`${name}.${key}\`, but returned ${writeSide(returned)} as \`${key}\`, which is the value of \`${winner}.${key}\`; in other calls the returned members always have the values of \`${name}\``,
      step: step.stepId,
      other: null,
    };
  }
  return undefined;
}

/**
 * True if, in all calls, the members that the input and the result have in common are equal. Constant inputs, such as defaults, prove
 * nothing.
 */
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
