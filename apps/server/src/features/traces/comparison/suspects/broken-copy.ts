import type { CapturedValue, ComparisonStatement, Step } from '@throughline/contract';
import { formatPath } from '@throughline/contract/captured';
import { identifyCall } from '../align-steps.ts';
import { flatten, type Path } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep, writeCallValue, writeSide } from '../texts/write-values.ts';

/** Minimum number of successful calls, and of distinct texts in these calls. With fewer, two places could have equal texts by chance. */
export interface MinCalls {
  readonly calls: number;
  readonly texts: number;
}

/** A text of a call, and its place: in an input, a variable or the result. */
interface Place {
  readonly path: Path;
  readonly isResult: boolean;
  readonly text: string;
}
type Places = ReadonlyMap<string, Place>;
/** Two places of a function that had equal texts in all successful calls. */
interface Copy {
  readonly input: string;
  readonly output: string;
}

/**
 * Finds the first call with a variable or a member of the result that always was a copy of an input, but has another text in this call. The
 * text probably belongs to another request, or to another record.
 */
export function findBrokenCopy(
  steps: readonly Step[],
  listCalls: (step: Step) => readonly Step[],
  min: MinCalls,
): ComparisonStatement | undefined {
  // Maps each function to the copies that it makes, which are learned from its calls once.
  const learned = new Map<string, readonly Copy[]>();
  for (const step of steps) {
    const key = identifyCall(step);
    const copies = learned.get(key) ?? learnCopies(listCalls(step), min);
    learned.set(key, copies);
    const found = findBroken(step, copies);
    if (found !== undefined) return found;
  }
  return undefined;
}

function learnCopies(calls: readonly Step[], min: MinCalls): readonly Copy[] {
  if (calls.length < min.calls) return [];
  const read = calls.map((call) => ({ inputs: readInputs(call), outputs: readOutputs(call) }));
  const [first] = read;
  return [...(first?.outputs.keys() ?? [])].flatMap((output) =>
    [...(first?.inputs.keys() ?? [])].flatMap((input) => {
      const isCopied = read.every((call) => {
        const given = call.inputs.get(input);
        return given !== undefined && given.text === call.outputs.get(output)?.text;
      });
      if (!isCopied) return [];
      const texts = new Set(read.map((call) => call.inputs.get(input)?.text));
      return texts.size >= min.texts ? [{ input, output }] : [];
    }),
  );
}

function findBroken(step: Step, copies: readonly Copy[]): ComparisonStatement | undefined {
  if (copies.length === 0) return undefined;
  const [inputs, outputs] = [readInputs(step), readOutputs(step)];
  for (const { input, output } of copies) {
    const [given, made] = [inputs.get(input), outputs.get(output)];
    if (given === undefined || made === undefined || isAlike(given.text, made.text)) continue;
    if (!isChosen(made, given, inputs)) return write(step, given, made);
  }
  return undefined;
}

/**
 * True if the text `made` is another member of the object that contains `given`. A function can choose between two members of an object,
 * such as two names.
 */
function isChosen(made: Place, given: Place, inputs: Places): boolean {
  const parent = JSON.stringify(given.path.slice(0, -1));
  return (
    given.path.length > 1 &&
    [...inputs.values()].some(
      ({ path, text }) => text === made.text && JSON.stringify(path.slice(0, -1)) === parent,
    )
  );
}

function write(step: Step, given: Place, made: Place): ComparisonStatement {
  const { isResult, path } = made;
  const place = isResult && path.length === 0 ? undefined : formatPath(path);
  const said = writeCallValue({ call: nameStep(step), isResult, place, value: writeSide(made.text) });
  return {
    text: `${said}, but \`${formatPath(given.path)}\` is ${writeSide(given.text)}; in other calls both are always equal`,
    step: step.stepId,
    other: null,
  };
}

function readInputs({ inputs }: Step): Places {
  return listPlaces(inputs, 'input');
}

function readOutputs(step: Step): Places {
  return new Map([
    ...listPlaces(step.variables?.localVariables, 'variable'),
    ...listPlaces(readResult(step), 'result'),
  ]);
}

/** Lists texts by their place. Items of lists are left out, because their position varies. */
function listPlaces(value: CapturedValue | undefined, part: 'input' | 'variable' | 'result'): Places {
  return new Map(
    flatten(value).flatMap(({ path, value: text }) =>
      typeof text === 'string' && path.every((key) => typeof key === 'string')
        ? [[`${part} ${path.join('.')}`, { path, isResult: part === 'result', text }] as const]
        : [],
    ),
  );
}

/**
 * True if one text is a part of the other, ignoring case, white space and Unicode form: functions normalize and shorten the texts that they
 * receive.
 */
function isAlike(a: string, b: string): boolean {
  const [one = '', other = ''] = [a, b].map((text) =>
    text.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase(),
  );
  return one.includes(other) || other.includes(one);
}
