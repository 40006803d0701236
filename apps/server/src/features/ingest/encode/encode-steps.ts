import type { IngestStep } from '@throughline/contract';
import { redactStepFields, StepIds } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { jsonField, microsField, NULL_FIELD, textField } from '../../../platform/trace-store/index.ts';
import { classifyStep } from '../../rollups/index.ts';
import { readExactly } from '../decode/exact-numbers.ts';
import type { CheckedStep } from '../decode/read-trace.ts';
import { getFields, getMember } from '../decode/sent-values.ts';
import { CAPTURED } from './captured-step.ts';
import type { Encoding, NotingEncoding } from './encoding.ts';
import { KnownSteps } from './known/known-steps.ts';
import type { Identity } from './trace-identity.ts';
import { refuseLargeValue, valueField } from './value-field.ts';

/** The columns of a step's row, in order. */
export const STEP_COLUMNS = [
  'project_id',
  'trace_time_ms',
  'trace',
  'ordinal',
  'step_id',
  'parent_step_id',
  'sequence',
  'name',
  'type',
  'start_micros',
  'duration_micros',
  'end_drift_micros',
  'function_name',
  'file_path',
  'line_number',
  'repeat',
  'error',
  'metadata',
  'captured',
  'stored_at',
] as const;

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
  const before = `${encoding.projectId}\t${identity.idTimeMs}\t${identity.id}\t`;
  const after = `${microsField(encoding.nowMicros)}\n`;
  const ids = new StepIds(encoding.redactor);
  const known = KnownSteps.of(encoding.redactor);
  const pieces: Buffer[] = [];
  let rows: string[] = [];
  let length = 0;
  let ordinal = 0;
  for (const { sent, sequence, place } of inStartOrder(steps)) {
    const exactStep = getMember(exact, place);
    const told = describe({ sent, sequence, place }, exactStep, { encoding, ids, known });
    const captured = encodeCaptured(exactStep, place, encoding);
    const row = `${before}${ordinal}\t${told}\t${captured}\t${after}`;
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

function inStartOrder(steps: readonly CheckedStep[]): PlacedStep[] {
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
  readonly ids: StepIds;
  readonly known: KnownSteps;
}

/**
 * Writes the columns from `step_id` to `metadata`, and records the attributes and step kinds for search.
 * @throws TraceFault
 */
function describe(placed: PlacedStep, exact: unknown, telling: Telling): string {
  const { step } = placed.sent;
  const error = getFields(exact, 'error');
  const metadata = getMember(exact, 'metadata');
  const known = telling.known.find(step);
  if (known === undefined || error !== undefined || metadata !== undefined)
    return describeRedacted(placed, { error, metadata }, telling);
  const { ids, encoding } = telling;
  encoding.kinds.add(known.kind, step.repeat?.count ?? 1);
  const id = textField(ids.show(step.stepId));
  const parentId = textField(ids.show(step.parentStepId ?? ''));
  return `${id}\t${parentId}\t${placed.sequence}\t${known.called}\t${encodeTimes(placed.sent)}\t${known.source}\t${encodeRepeat(step)}\t\t`;
}

/** Like {@link describe}, but for a step with an error or metadata, or with names that redaction can change. */
function describeRedacted(
  { sent: { step, ...times }, sequence, place }: PlacedStep,
  values: { readonly error: Fields | undefined; readonly metadata: CapturedValue | undefined },
  { encoding, ids }: Telling,
): string {
  const sent = {
    stepId: step.stepId,
    parentStepId: step.parentStepId ?? '',
    stepName: step.stepName,
    functionName: step.functionName ?? '',
    filePath: step.filePath ?? '',
    ...values,
  };
  const told = redactStepFields(sent, encoding.redactor, ids);
  const { stepName: name, metadata } = told;
  const { stepType: type, repeat } = step;
  encoding.found.add(metadata);
  encoding.kinds.add(
    classifyStep({ type, name, metadata, failed: told.error !== undefined }),
    repeat?.count ?? 1,
  );
  const columns = [
    textField(told.stepId),
    textField(told.parentStepId),
    sequence,
    textField(name),
    type,
    encodeTimes({ step, ...times }),
    textField(told.functionName),
    textField(told.filePath),
    step.lineNumber ?? NULL_FIELD,
    encodeRepeat(step),
    json(told.error, ['flow', place, 'error']),
    json(metadata, ['flow', place, 'metadata']),
  ];
  return columns.join('\t');
}

/** @throws TraceFault */
function json(value: CapturedValue | Fields | undefined, path: readonly PropertyKey[]): string {
  return value === undefined ? '' : valueField(JSON.stringify(value), path);
}

function encodeRepeat({ repeat }: IngestStep): string {
  return repeat ? jsonField(JSON.stringify(repeat)) : '';
}

/** Writes the columns `start_micros`, `duration_micros` and `end_drift_micros`. */
function encodeTimes({ step, startMicros, endMicros }: CheckedStep): string {
  const durationMicros = Math.round(step.duration * 1000);
  const drift = endMicros === undefined ? 0n : endMicros - startMicros - BigInt(durationMicros);
  return `${startMicros}\t${durationMicros}\t${drift}`;
}

function encodeCaptured(step: unknown, place: number, { redactor, captured }: Encoding): string {
  const found = captured?.(place);
  const path = ['flow', place];
  if (found !== undefined) refuseLargeValue(found.json, path);
  if (found?.asItStands && !redactor.hidesSecrets) return jsonField(found.json);
  const sent = found === undefined ? step : readExactly(found.json);
  const values: { [name: string]: CapturedValue } = {};
  let any = false;
  for (const name of CAPTURED) {
    const value = getMember(sent, name);
    if (value === undefined || (value === null && name === 'variables')) continue;
    values[name] = value;
    any = true;
  }
  return any ? valueField(JSON.stringify(redactStepFields(values, redactor)), path) : '';
}
