import { mayHoldSecret } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { instant } from '../http/instant.ts';
import { CapturedText, type StepValue } from '../record/captured-text.ts';
import { type Fragment, fragment, type JsonTape } from '../record/json-tape.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import type { StepVariables } from '../record/types.ts';
import { type Redactor, redactError, redactMetadata, redactStep } from '../redact/redact.ts';
import type { WireStep } from './wire.ts';
import { writeJson } from './write-json.ts';
import { writeInstant, writeMilliseconds } from './write-times.ts';

const stepIdIs = fragment('{"stepId":"');
const parentIs = fragment('","parentStepId":"');
const noParent = fragment('","parentStepId":null,"sequence":');
const sequenceIs = fragment('","sequence":');
const nameIs = fragment(',"stepName":');
const typeIs = fragment(',"stepType":"');
const startIs = fragment(',"startTime":');
const endIs = fragment(',"endTime":');
const durationIs = fragment(',"duration":');
const repeatIs = fragment(',"repeat":');
const functionIs = fragment(',"functionName":');
const fileIs = fragment(',"filePath":');
const lineIs = fragment(',"lineNumber":');
const inputsAre = fragment(',"inputs":');
const outputsAre = fragment(',"outputs":');
const variablesAre = fragment(',"variables":');
const errorIs = fragment(',"error":');
const metadataIs = fragment(',"metadata":');
const QUOTE = 0x22;
const CLOSE = 0x7d;

/** Writes one element of `flow` and a comma. Its values have been redacted as they were taken, if they could be; all else is now. */
export function writeStep(tape: JsonTape, step: RecordedStep, redactor: Redactor | null): void {
  if (redactor !== null && !(isClean(step.inputs) && isClean(step.outputs) && isClean(step.variables))) {
    tape.json(writeJson(redactStep(wireStep(step), redactor)));
    tape.comma();
    return;
  }
  writePlace(tape, step);
  writeSource(tape, step, redactor);
  writeTimes(tape, step);
  if (step.inputs !== undefined) writeValue(tape, inputsAre, step.inputs);
  if (step.outputs !== undefined) writeValue(tape, outputsAre, step.outputs);
  if (step.variables !== undefined) writeValue(tape, variablesAre, step.variables);
  if (step.error !== undefined) {
    tape.fragment(errorIs);
    tape.json(writeJson(redactor === null ? step.error : redactError(step.error, redactor)));
  }
  if (step.metadata !== undefined) {
    tape.fragment(metadataIs);
    tape.json(writeJson(redactor === null ? step.metadata : redactMetadata(step.metadata, redactor)));
  }
  tape.byte(CLOSE);
  tape.comma();
}

/** True if the value needs no more redaction. */
function isClean(value: RecordedStep['variables'] | StepValue | undefined): boolean {
  return value === undefined || (value instanceof CapturedText && value.clean);
}

function writePlace(tape: JsonTape, { stepId, parentStepId, sequence }: RecordedStep): void {
  tape.fragment(stepIdIs);
  tape.ascii(stepId);
  if (parentStepId === null) tape.fragment(noParent);
  else {
    tape.fragment(parentIs);
    tape.ascii(parentStepId);
    tape.fragment(sequenceIs);
  }
  tape.number(sequence);
}

/** Name, type and source. They are the same for most calls of a function, and copied then (a tenth of the time). */
function writeSource(tape: JsonTape, step: RecordedStep, redactor: Redactor | null): void {
  const { site, stepName, stepType } = step;
  const written = site?.written;
  if (written?.stepName === stepName && written.stepType === stepType) {
    tape.fragment(written.json);
    return;
  }
  const start = tape.end;
  tape.fragment(nameIs);
  let isPublic = writeText(tape, stepName, redactor);
  tape.fragment(typeIs);
  tape.ascii(stepType);
  tape.byte(QUOTE);
  if (site === undefined) {
    if (step.functionName === undefined) return;
    tape.fragment(functionIs);
    writeText(tape, step.functionName, redactor);
    return;
  }
  tape.fragment(functionIs);
  isPublic = writeText(tape, site.name, redactor) && isPublic;
  tape.fragment(fileIs);
  isPublic = writeText(tape, site.file, redactor) && isPublic;
  tape.fragment(lineIs);
  tape.number(site.line);
  if (isPublic && written === undefined) site.written = { stepName, stepType, json: tape.since(start) };
}

/** Writes the text; true if it needs no more redaction. */
function writeText(tape: JsonTape, text: string, redactor: Redactor | null): boolean {
  const start = tape.end;
  tape.string(text);
  if (!mayHoldSecret(tape.signs, tape.digits, false, text.length)) return true;
  const shown = redactor === null ? text : redactor.text(text);
  if (shown === text) return redactor !== null;
  tape.end = start;
  tape.string(shown);
  return false;
}

function writeTimes(tape: JsonTape, step: RecordedStep): void {
  tape.fragment(startIs);
  writeInstant(tape, step.startMicros);
  tape.fragment(endIs);
  writeInstant(tape, step.endMicros);
  tape.fragment(durationIs);
  writeMilliseconds(tape, step.durationMs);
  if (step.repeat === undefined) return;
  tape.fragment(repeatIs);
  tape.json(writeJson(step.repeat));
}

function writeValue(tape: JsonTape, name: Fragment, value: StepValue | StepVariables): void {
  tape.fragment(name);
  if (!(value instanceof CapturedText)) tape.json(writeJson(value));
  else if (value.hasStacks) tape.json(value.json);
  else value.writeTo(tape);
}

/** The step as plain data. */
export function wireStep(step: RecordedStep): WireStep {
  const { startMicros, endMicros, durationMs, site, functionName, inputs, outputs, variables, ...rest } =
    step;
  return {
    ...rest,
    functionName: site?.name ?? functionName,
    filePath: site?.file,
    lineNumber: site?.line,
    startTime: instant(startMicros),
    endTime: instant(endMicros),
    duration: durationMs,
    inputs: plain(inputs),
    outputs: plain(outputs),
    variables: variables instanceof CapturedText ? variablesIn(variables) : variables,
  };
}

function plain(value: StepValue | undefined): CapturedValue | undefined {
  return value instanceof CapturedText ? value.read() : value;
}

/** Reads the output of `captureBindings`. */
function variablesIn(text: CapturedText): StepVariables {
  const variables: StepVariables = JSON.parse(text.json);
  return variables;
}
