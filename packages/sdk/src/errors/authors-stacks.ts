import { CapturedText } from '../record/captured-text.ts';
import { JsonTape } from '../record/json-tape.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import type { StepError } from '../record/types.ts';
import { AuthorsFiles } from './authors-files.ts';

/** `    at async charge (file:///srv/dist/pay.js:3:9)`, but not what Node's own code or `eval` is. */
const frame = /^(\s+at (?:.*\()?)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)(\)?)$/gm;
/** A captured error's stack, up to it and itself, as it stands in JSON: within a text the quotes would be escaped. */
const capturedStack =
  /("\$type":"Error","class":"(?:[^"\\]|\\.)*","message":"(?:[^"\\]|\\.)*","stack":)("(?:[^"\\]|\\.)*")/g;

const files = new AuthorsFiles();

/**
 * The steps with the stacks of their errors, and of errors among their values where `withValues` says that there are some, at the places that the author
 * wrote: what a compiler made names its own files unless Node runs with --enable-source-maps. Columns are left out. Never throws.
 */
export function withAuthorsStacks(
  flow: readonly RecordedStep[],
  withValues: boolean,
): readonly RecordedStep[] {
  // Node has seen to it.
  if (process.sourceMapsEnabled) return flow;
  if (!withValues && !flow.some(({ error }) => error?.stack !== undefined)) return flow;
  const errors = new Map<StepError, StepError>();
  try {
    return flow.map((step) => withAuthorsPlaces(step, withValues, errors));
  } catch {
    // The host has replaced something of the language that this needs.
    return flow;
  }
}

/** One error stands on every step that it passed through. */
function withAuthorsPlaces(
  step: RecordedStep,
  withValues: boolean,
  errors: Map<StepError, StepError>,
): RecordedStep {
  const { error, inputs, outputs, variables } = step;
  let shown = error && errors.get(error);
  if (error !== undefined && shown === undefined) {
    shown = error.stack === undefined ? error : { ...error, stack: authorsStack(error.stack) };
    errors.set(error, shown);
  }
  if (!withValues) return error === undefined ? step : { ...step, error: shown };
  return {
    ...step,
    error: shown,
    inputs: inputs instanceof CapturedText ? authorsText(inputs) : inputs,
    outputs: outputs instanceof CapturedText ? authorsText(outputs) : outputs,
    variables: variables instanceof CapturedText ? authorsText(variables) : variables,
  };
}

function authorsText(text: CapturedText): CapturedText {
  const { json } = text;
  const mapped = json.replace(capturedStack, (_, before: string, quoted: string) => {
    const stack: string = JSON.parse(quoted);
    return before + JSON.stringify(authorsStack(stack));
  });
  if (mapped === json) return text;
  const tape = new JsonTape(mapped.length);
  tape.json(mapped);
  return new CapturedText(tape, 0, tape.end, text.clean);
}

/** The stack with the author's files and lines, where source maps tell them. */
export function authorsStack(stack: string): string {
  return stack.replace(
    frame,
    (whole: string, before: string, file: string, line: string, column: string, after: string) => {
      const place = files.placeOf(file, Number(line), Number(column));
      return place === undefined ? whole : `${before}${place.file}:${place.line}${after}`;
    },
  );
}
