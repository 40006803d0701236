import type { Step, ValueLink, ValuePath, ValuePlace } from '@throughline/contract';
import { formatPath } from '@throughline/contract/captured';
import type { StoredTrace } from '../store.ts';
import type { Occurrence } from './find-occurrences.ts';

/** Maximum length of a name in a sentence: the name of a database step is its SQL statement. */
const MAX_NAME = 120;

export function writeLink(trace: StoredTrace, { at, path, how, changed }: Occurrence): ValueLink {
  const { step, place } = at;
  return {
    stepId: step?.stepId ?? null,
    name: step?.stepName ?? `${trace.method} ${trace.path}`,
    type: step?.stepType ?? null,
    place,
    path: [...path],
    how,
    note: changed === true ? 'its content differs here' : null,
  };
}

/** Describes in one sentence where the value first appears. `first` is the selected occurrence if there is no earlier one. */
export function writeOrigin({
  first,
  asked,
  steps,
}: {
  readonly first: Occurrence;
  readonly asked: Occurrence;
  readonly steps: readonly Step[];
}): string {
  const { step, place } = first.at;
  const subject = `\`${nameOccurrence(asked)}\``;
  if (step === undefined) return `${subject} came from ${writeRequestPlace(place, first.path)}`;
  const name = `\`${shorten(step.stepName)}\``;
  if (place === 'outputs' && isExternal(step))
    return `${subject} came from ${writeResult(step, name, first.path)}`;
  const query = findQuery(first, steps);
  const after = query === undefined ? '' : `, which called \`${shorten(query.stepName)}\``;
  return first === asked
    ? `${subject} is first seen here, in ${name}${after}`
    : `${subject} is first seen as ${writeStepPlace(place, first.path)} of ${name}${after}`;
}

/** Describes a part of what a call to another process returned. */
function writeResult({ stepType }: Step, name: string, path: ValuePath): string {
  const [list, row, ...column] = path;
  if (stepType === 'database' && list === 'firstRows' && typeof row === 'number')
    return `row ${row + 1} of ${name}${column.length === 0 ? '' : `, column \`${formatPath(column)}\``}`;
  return `${stepType === 'http' ? 'the response to' : 'the result of'} ${name}${writeField(path)}`;
}

/** Types of steps that return values from outside the program. */
const EXTERNAL: ReadonlySet<string> = new Set(['database', 'http', 'cache', 'queue']);

/** True for a call to another process. */
export function isExternal({ stepType }: Pick<Step, 'stepType'>): boolean {
  return EXTERNAL.has(stepType);
}

/**
 * Finds the last successful call to another process that the step made. The value can come from this call although the search did not find
 * it there, because the rows of a query are often not recorded.
 */
export function findQuery({ at: { step, place } }: Occurrence, steps: readonly Step[]): Step | undefined {
  if (step === undefined || place === 'inputs' || place === 'parameters') return undefined;
  const called = steps.filter((each) => each.parentStepId === step.stepId && isExternal(each));
  return called.findLast(({ error }) => error === null);
}

/** Returns the name of an occurrence for a sentence: its path, or the name of the captured part. */
export function nameOccurrence({ at, path }: Occurrence): string {
  if (path.length > 0) return formatPath(path);
  switch (at.place) {
    case 'returnValue':
    case 'outputs':
      return `${at.step?.functionName ?? shorten(at.step?.stepName ?? '')}()`;
    case 'thisContext':
      return 'this';
    default:
      return at.place;
  }
}

function writeRequestPlace(place: ValuePlace, path: ValuePath): string {
  switch (place) {
    case 'request.path':
      return "the request's path";
    case 'request.query':
      return `the request's query${writeField(path)}`;
    case 'request.headers':
      return `the request's headers${writeField(path)}`;
    case 'request.body':
      return `the request's body${writeField(path)}`;
    default:
      return `the response${writeField(path)}`;
  }
}

function writeField(path: ValuePath): string {
  return path.length === 0 ? '' : `, field \`${formatPath(path)}\``;
}

function writeStepPlace(place: ValuePlace, path: ValuePath): string {
  const field = path.length === 0 ? '' : ` \`${formatPath(path)}\``;
  switch (place) {
    case 'parameters':
    case 'inputs':
      return `the parameter${field}`;
    case 'localVariables':
      return `the variable${field}`;
    case 'returnValue':
    case 'outputs':
      return path.length === 0 ? 'the return value' : `the field${field} in the return value`;
    case 'thisContext':
      return path.length === 0 ? 'this' : `\`this.${formatPath(path)}\``;
    case 'error':
      return 'the error';
    default:
      return `the metadata${field}`;
  }
}

function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'");
  return flat.length > MAX_NAME ? `${flat.slice(0, MAX_NAME - 1)}…` : flat;
}
