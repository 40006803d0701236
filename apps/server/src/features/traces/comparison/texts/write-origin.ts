import type { ComparisonStatement } from '@throughline/contract';
import { findValueAt } from '@throughline/contract/captured';
import type { CallHistory, Origin } from '../call-history.ts';
import { explainNaN } from '../cause/find-thrown.ts';
import { placeText, readPart } from '../compare-values.ts';
import { type Finding, isPaired, type PairedStep } from '../walk-differences.ts';
import { writeValue } from './write-statements.ts';
import { nameStep, writeSide } from './write-values.ts';

/**
 * Describes the value at which a failure began. Compares it with the value in the same call of the other request or, if there is none, in
 * the last known successful call of the function.
 */
export function writeOrigin(
  origin: Origin,
  findings: readonly Finding[],
  history: CallHistory,
): ComparisonStatement {
  const { step } = origin;
  const found = findings.find(({ at }) => at.left === step)?.at;
  const paired = found !== undefined && isPaired(found) ? found : undefined;
  const right = paired?.right ?? history.list(step).at(-1);
  const at: PairedStep | undefined =
    paired ??
    (right && { left: step, right, depth: 0, moved: false, times: { left: 1, right: 1 }, children: [] });
  return {
    text: at === undefined ? writeAlone(origin) : writeCompared(origin, at, { findings, history }),
    step: step.stepId,
    other: paired?.right.stepId ?? null,
  };
}

/** Describes a value of a function of which no successful call is known. */
function writeAlone({ step, part, path, value }: Origin): string {
  const name = nameStep(step);
  return part === 'returnValue' && path.length === 0
    ? `\`${name}\` returned ${writeSide(value)}`
    : `\`${placeText({ part, path })}\` is ${writeSide(value)} in \`${name}\``;
}

function writeCompared(
  origin: Origin,
  at: PairedStep,
  { findings, history }: { readonly findings: readonly Finding[]; readonly history: CallHistory },
): string {
  const { part, path, value } = findVariable(origin, history) ?? origin;
  const other = readPart(at.right, part);
  const otherValue = other && findValueAt(other, path);
  const difference = { part, path, value, otherValue, judgement: 'unusual', goods: 1 } as const;
  return writeValue(at, explainNaN({ kind: 'value', at, difference }).difference, findings);
}

/**
 * If the origin is a function's whole result, finds an unusual local variable of the function: the variable is nearer to the cause than the
 * result.
 */
function findVariable({ step, part, path }: Origin, history: CallHistory): Omit<Origin, 'step'> | undefined {
  if (part !== 'returnValue' || path.length > 0) return undefined;
  const variable = history.listOdd(step, 'localVariables').find((leaf) => leaf.path.length === 1);
  return variable && { part: 'localVariables', ...variable };
}
