import { redactStepFields, StepIds } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import {
  STEP_CALL,
  STEP_TRACE,
  STORED_AT,
  writeStep,
  writeStepRow,
} from '../../../platform/trace-store/index.ts';
import { CAPTURED } from '../decode/captured-step.ts';
import { readExactly } from '../decode/exact-numbers.ts';
import type { CheckedStep } from '../decode/read-trace.ts';
import { getFields, getMember } from '../decode/sent-values.ts';
import { type EncodedStep, encodeStep } from './encode-step.ts';
import type { Encoding, NotingEncoding } from './encoding.ts';
import { KnownSteps } from './known-steps.ts';
import { refuseLargeValue } from './refuse-large-value.ts';
import type { Identity } from './trace-identity.ts';

/** Rows are joined into pieces of about this many characters, so that a large flow never becomes one string. */
const PIECE_LENGTH = 1024 * 1024;

/**
 * Builds the rows of a flow in start order (steps with equal starts by sequence), in pieces of whole rows. `exact` is the flow as it was
 * sent.
 * @throws TraceFault
 */
export function encodeSteps(
  steps: readonly CheckedStep[],
  exact: unknown,
  identity: Identity,
  encoding: NotingEncoding,
): Buffer[] {
  const { projectId, nowMicros } = encoding;
  const trace = STEP_TRACE.write({ projectId, idTimeMs: identity.idTimeMs, id: identity.id });
  const storedAt = STORED_AT.write(nowMicros);
  const ids = new StepIds(encoding.redactor);
  const known = KnownSteps.of(encoding.redactor);
  const pieces: Buffer[] = [];
  let rows: string[] = [];
  let length = 0;
  let ordinal = 0;
  for (const { sent, sequence, place } of sortByStart(steps)) {
    const exactStep = getMember(exact, place);
    const call = encodeCall({ sent, sequence, place }, ordinal, ids);
    const step = describe({ sent, sequence, place }, exactStep, { encoding, known });
    const row = writeStepRow(trace, call, step, storedAt);
    ordinal += 1;
    rows.push(row);
    length += row.length;
    if (length < PIECE_LENGTH) continue;
    pieces.push(Buffer.from(rows.join('')));
    rows = [];
    length = 0;
  }
  // A Buffer's memory is outside the heap, so the garbage collector does not scan the rows while they wait.
  if (rows.length > 0) pieces.push(Buffer.from(rows.join('')));
  return pieces;
}

interface PlacedStep {
  readonly sent: CheckedStep;
  /** The sequence number that was sent, or the step's position in the flow. */
  readonly sequence: number;
  readonly place: number;
}

function sortByStart(steps: readonly CheckedStep[]): PlacedStep[] {
  return steps
    .map((sent, place) => ({ sent, sequence: sent.step.sequence ?? place, place }))
    .sort((a, b) => {
      if (a.sent.startMicros !== b.sent.startMicros) return a.sent.startMicros < b.sent.startMicros ? -1 : 1;
      return a.sequence - b.sequence;
    });
}

type Fields = { readonly [name: string]: CapturedValue };

/** State shared by all steps of a trace. */
interface Telling {
  readonly encoding: NotingEncoding;
  readonly known: KnownSteps;
}

/** Encodes the columns of {@link STEP_CALL}: the ids, the order and the times of one call. */
function encodeCall({ sent, sequence }: PlacedStep, ordinal: number, ids: StepIds): string {
  const { step, startMicros, endMicros } = sent;
  const durationMicros = Math.round(step.duration * 1000);
  return STEP_CALL.write({
    ordinal,
    stepId: ids.show(step.stepId),
    parentStepId: ids.show(step.parentStepId ?? ''),
    sequence,
    startMicros,
    durationMicros,
    endDriftMicros: endMicros === undefined ? 0n : endMicros - startMicros - BigInt(durationMicros),
    repeat: step.repeat ? JSON.stringify(step.repeat) : '',
  });
}

/**
 * Encodes the columns that steps and spans have in common. Records the step's attributes and kind for search.
 * @throws TraceFault
 */
function describe(placed: PlacedStep, exact: unknown, telling: Telling): string {
  const { encoding, known } = telling;
  const { step } = placed.sent;
  const calls = step.repeat?.count ?? 1;
  const error = getFields(exact, 'error');
  const metadata = getMember(exact, 'metadata');
  const captured = encodeCaptured(exact, placed.place, encoding);
  const code = error === undefined && metadata === undefined ? known.find(step) : undefined;
  if (code !== undefined) {
    encoding.kinds.add(code.kind, calls);
    return writeStep(code.code, { error: '', metadata: '', captured });
  }
  const { text, kind, hashes } = encodeRedacted(placed, { error, metadata }, captured, encoding);
  encoding.found.addHashes(hashes);
  encoding.kinds.add(kind, calls);
  return text;
}

/**
 * Encodes a step that is not in the cache of functions: it has an error or metadata, redaction can change its names, or its names are too
 * long.
 */
function encodeRedacted(
  { sent: checked, place }: PlacedStep,
  values: { readonly error: Fields | undefined; readonly metadata: CapturedValue | undefined },
  captured: string,
  encoding: NotingEncoding,
): EncodedStep {
  const { step } = checked;
  const sent = {
    stepName: step.stepName,
    functionName: step.functionName ?? '',
    filePath: step.filePath ?? '',
    ...values,
  };
  const shown = redactStepFields(sent, encoding.redactor);
  if (values.error !== undefined && shown.error !== undefined) {
    const { functionName, filePath } = shown;
    encoding.place.note(checked, values.error.message, { functionName, filePath, type: shown.error.name });
  }
  const redacted = {
    name: shown.stepName,
    type: step.stepType,
    functionName: shown.functionName,
    filePath: shown.filePath,
    lineNumber: step.lineNumber,
    error: shown.error,
    metadata: shown.metadata,
    captured,
  };
  const path = ['flow', place];
  return encodeStep(redacted, {
    error: [...path, 'error'],
    metadata: [...path, 'metadata'],
    captured: path,
  });
}

/** Returns the redacted captured values as JSON. */
function encodeCaptured(step: unknown, place: number, { redactor, captured }: Encoding): string {
  const found = captured?.(place);
  const path = ['flow', place];
  if (found !== undefined) refuseLargeValue(found.json, path);
  if (found?.asItStands && !redactor.hidesSecrets) return found.json;
  const sent = found === undefined ? step : readExactly(found.json);
  const values: { [name: string]: CapturedValue } = {};
  let any = false;
  for (const name of CAPTURED) {
    const value = getMember(sent, name);
    if (value === undefined || (value === null && name === 'variables')) continue;
    values[name] = value;
    any = true;
  }
  if (!any) return '';
  const json = JSON.stringify(redactStepFields(values, redactor));
  refuseLargeValue(json, path);
  return json;
}
