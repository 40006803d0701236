import { mayHoldSecret, type Redactor, redactStepFields } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { RecordedStep } from '../../record/recorded-step.ts';
import type { StepVariables } from '../../record/types.ts';
import { CapturedText, type StepValue } from '../../record/writer/captured-text.ts';
import { buildFragment, type Fragment, type JsonWriter } from '../../record/writer/json-writer.ts';
import { fitFields, fitText, MAX_LENGTHS } from './fit-head.ts';
import type { CapturedRecord, WireStep } from './wire.ts';
import { writeJson } from './write-json.ts';
import { takeTimed, writeMilliseconds, writeStartAndEnd, writeTimed } from './write-times.ts';

const stepIdIs = buildFragment('{"stepId":"');
const parentIs = buildFragment('","parentStepId":"');
const noParent = buildFragment('","parentStepId":null,"sequence":');
const sequenceIs = buildFragment('","sequence":');
const nameIs = buildFragment(',"stepName":');
const typeIs = buildFragment(',"stepType":"');
const durationIs = buildFragment(',"duration":');
const repeatIs = buildFragment(',"repeat":');
const functionIs = buildFragment(',"functionName":');
const fileIs = buildFragment(',"filePath":');
const lineIs = buildFragment(',"lineNumber":');
const inputsAre = buildFragment(',"inputs":');
const outputsAre = buildFragment(',"outputs":');
const variablesAre = buildFragment(',"variables":');
const errorIs = buildFragment(',"error":');
const metadataIs = buildFragment(',"metadata":');
/** Maximum line number that the server accepts. */
const MAX_LINE = 4_294_967_295;
const QUOTE = 0x22;
const CLOSE = 0x7d;

/** Writes an element of `flow` and a comma. Redacts everything that was not redacted when it was captured. */
export function writeStep(writer: JsonWriter, step: RecordedStep, redactor: Redactor | null): void {
  writePlace(writer, step);
  writeSourceAndTimes(writer, step, redactor);
  writer.fragment(durationIs);
  writeMilliseconds(writer, step.durationMs);
  if (step.repeat !== undefined) {
    writer.fragment(repeatIs);
    writer.json(writeJson(step.repeat));
  }
  const { inputs, outputs, variables } = redactor === null ? step : redactValues(step, redactor);
  if (inputs !== undefined) writeValue(writer, inputsAre, inputs);
  if (outputs !== undefined) writeValue(writer, outputsAre, outputs);
  if (variables !== undefined) writeValue(writer, variablesAre, variables);
  if (step.error !== undefined) {
    writer.fragment(errorIs);
    const { error } = redactor === null ? step : redactStepFields({ error: step.error }, redactor);
    writer.json(writeJson(error));
  }
  if (step.metadata !== undefined) writeMetadata(writer, step.metadata, redactor);
  writer.byte(CLOSE);
  writer.comma();
}

/** The JSON of metadata objects that many steps share. These objects are frozen. */
const writtenMetadata = new WeakMap<object, Fragment>();

function writeMetadata(writer: JsonWriter, metadata: CapturedRecord, redactor: Redactor | null): void {
  writer.fragment(metadataIs);
  const written = writtenMetadata.get(metadata);
  if (written !== undefined) {
    writer.fragment(written);
    return;
  }
  const shown = redactor === null ? metadata : redactStepFields({ metadata }, redactor).metadata;
  const start = writer.end;
  writer.json(writeJson(shown));
  if (redactor !== null && shown === metadata && Object.isFrozen(metadata))
    writtenMetadata.set(metadata, writer.since(start));
}

type StepValues = Pick<RecordedStep, 'inputs' | 'outputs' | 'variables'>;

/** Returns the values of a step without secrets; the same object if the values were redacted at capture. */
function redactValues(step: StepValues, redactor: Redactor): StepValues {
  const { inputs, outputs, variables } = step;
  if (isClean(inputs) && isClean(outputs) && isClean(variables)) return step;
  const values = {
    inputs: toPlain(inputs),
    outputs: toPlain(outputs),
    variables: toPlainVariables(variables),
  };
  return redactStepFields(values, redactor);
}

/** True if the value needs no further redaction. */
function isClean(value: RecordedStep['variables'] | StepValue | undefined): boolean {
  return value === undefined || (value instanceof CapturedText && value.clean);
}

function writePlace(writer: JsonWriter, { stepId, parentStepId, sequence }: RecordedStep): void {
  writer.fragment(stepIdIs);
  writer.ascii(stepId);
  if (parentStepId === null) writer.fragment(noParent);
  else {
    writer.fragment(parentIs);
    writer.ascii(parentStepId);
    writer.fragment(sequenceIs);
  }
  writer.number(sequence);
}

/**
 * Writes name, type, source position and times. Name, type and position are the same for most calls of a function, so their JSON is copied
 * from an earlier step, in a tenth of the time.
 */
function writeSourceAndTimes(writer: JsonWriter, step: RecordedStep, redactor: Redactor | null): void {
  const { site, stepName, stepType, startMicros, endMicros } = step;
  const written = site?.written;
  if (written?.stepName === stepName && written.stepType === stepType) {
    writeTimed(writer, written.timed, startMicros, endMicros);
    return;
  }
  writeSource(writer, step, redactor);
  writeStartAndEnd(writer, startMicros, endMicros);
}

function writeSource(writer: JsonWriter, step: RecordedStep, redactor: Redactor | null): void {
  const { site, stepName, stepType } = step;
  const start = writer.end;
  writer.fragment(nameIs);
  let isPublic = writeText(writer, stepName, redactor, 'stepName');
  writer.fragment(typeIs);
  writer.ascii(stepType);
  writer.byte(QUOTE);
  if (site === undefined) {
    if (step.functionName === undefined) return;
    writer.fragment(functionIs);
    writeText(writer, step.functionName, redactor, 'functionName');
    return;
  }
  writer.fragment(functionIs);
  isPublic = writeText(writer, site.name, redactor, 'functionName') && isPublic;
  writer.fragment(fileIs);
  isPublic = writeText(writer, site.file, redactor, 'filePath') && isPublic;
  if (isLine(site.line)) {
    writer.fragment(lineIs);
    writer.number(site.line);
  }
  if (isPublic && site.written === undefined)
    site.written = { stepName, stepType, timed: takeTimed(writer, start) };
}

/** True for a line number that the server accepts. A damaged source map can contain others. */
function isLine(line: number): boolean {
  return line >= 0 && line <= MAX_LINE && Math.floor(line) === line;
}

const MAX_TEXTS = {
  stepName: MAX_LENGTHS.name,
  functionName: MAX_LENGTHS.name,
  filePath: MAX_LENGTHS.filePath,
} as const;

/** Shortens the texts of a redacted step that the server would reject. */
export function fitStep(step: WireStep): WireStep {
  return fitFields(step, MAX_TEXTS);
}

/** Writes a string, shortened to the length that the server accepts. Returns true if the string is known to need no redaction. */
function writeText(
  writer: JsonWriter,
  whole: string,
  redactor: Redactor | null,
  field: 'stepName' | 'functionName' | 'filePath',
): boolean {
  const start = writer.end;
  const max = MAX_TEXTS[field];
  // Redacts a text before the text is cut, since a secret that was cut in two is no longer recognized.
  const isCut = redactor !== null && whole.length > max;
  const text = isCut ? `${redactor.beginning(whole, max - 1)}…` : fitText(whole, max);
  writer.string(text);
  const hasPaths = redactor?.hasPaths === true;
  if (!hasPaths && !mayHoldSecret(writer.signs, writer.digits, false, text.length)) return !isCut;
  const shown = redactor === null ? text : redactor.textAt(text, [field]);
  if (shown === text) return redactor !== null && !isCut;
  writer.end = start;
  writer.string(fitText(shown, max));
  return false;
}

function writeValue(writer: JsonWriter, name: Fragment, value: StepValue | StepVariables): void {
  writer.fragment(name);
  if (!(value instanceof CapturedText)) writer.json(writeJson(value));
  else if (value.hasStacks) writer.json(value.json);
  else value.writeTo(writer);
}

/** Returns a captured value as plain data. */
export function toPlain(value: StepValue | undefined): CapturedValue | undefined {
  return value instanceof CapturedText ? value.read() : value;
}

/** Returns captured variables, the output of `captureBindings`, as plain data. */
export function toPlainVariables(variables: RecordedStep['variables']): StepVariables | undefined {
  if (!(variables instanceof CapturedText)) return variables;
  const parsed: StepVariables = JSON.parse(variables.json);
  return parsed;
}
