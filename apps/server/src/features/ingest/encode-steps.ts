import type { CapturedValue } from '@throughline/contract/values';
import { jsonField, microsField, NULL_FIELD, textField } from '../../platform/trace-store/index.ts';
import { kindOf } from '../rollups/index.ts';
import { CAPTURED } from './captured-step.ts';
import type { Encoding, NotingEncoding } from './encode-trace.ts';
import { readExactly } from './exact-numbers.ts';
import type { CheckedStep } from './read-trace.ts';
import { fieldsOf, memberOf } from './sent-values.ts';
import type { Identity } from './trace-identity.ts';

/** The columns of a step's row, in its order. */
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

/** The rows of a flow in start order, equal starts by sequence. `exact` is the flow as it was sent. */
export function encodeSteps(
  steps: readonly CheckedStep[],
  exact: unknown,
  identity: Identity,
  encoding: NotingEncoding,
): string {
  const before = `${encoding.projectId}\t${identity.idTimeMs}\t${identity.id}\t`;
  const after = `${microsField(encoding.nowMicros)}\n`;
  return inStartOrder(steps)
    .map(({ sent, sequence, place }, ordinal) => {
      const step = memberOf(exact, place);
      const error = errorOf(step, encoding);
      const metadata = metadataOf(step, encoding);
      const { stepType: type, stepName: name, repeat } = sent.step;
      encoding.kinds.add(kindOf({ type, name, metadata, failed: error !== '' }), repeat?.count ?? 1);
      const metadataField = metadata === undefined ? '' : jsonField(JSON.stringify(metadata));
      return `${before}${ordinal}\t${described(sent, sequence)}\t${error}\t${metadataField}\t${capturedOf(step, place, encoding)}\t${after}`;
    })
    .join('');
}

interface PlacedStep {
  readonly sent: CheckedStep;
  /** As sent, else its place in the flow. */
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

/** The columns from `step_id` to `repeat`. */
function described({ step, startMicros, endMicros }: CheckedStep, sequence: number): string {
  const durationMicros = Math.round(step.duration * 1000);
  const drift = endMicros === undefined ? 0n : endMicros - startMicros - BigInt(durationMicros);
  const columns = [
    textField(step.stepId),
    textField(step.parentStepId ?? ''),
    sequence,
    textField(step.stepName),
    step.stepType,
    startMicros,
    durationMicros,
    drift,
    textField(step.functionName ?? ''),
    textField(step.filePath ?? ''),
    step.lineNumber ?? NULL_FIELD,
    step.repeat ? jsonField(JSON.stringify(step.repeat)) : '',
  ];
  return columns.join('\t');
}

function errorOf(step: unknown, { redactor }: Encoding): string {
  const error = fieldsOf(step, 'error');
  return error === undefined ? '' : jsonField(JSON.stringify(redactor.fields(error, ['error'])));
}

function metadataOf(step: unknown, { redactor, found }: NotingEncoding): CapturedValue | undefined {
  const sent = memberOf(step, 'metadata');
  if (sent === undefined) return undefined;
  const metadata = redactor.value(sent, ['metadata']);
  found.add(metadata);
  return metadata;
}

function capturedOf(step: unknown, place: number, { redactor, captured }: Encoding): string {
  const found = captured?.(place);
  if (found?.asItStands) return jsonField(found.json);
  const sent = found === undefined ? step : readExactly(found.json);
  const values: { [name: string]: CapturedValue } = {};
  let any = false;
  for (const name of CAPTURED) {
    const value = memberOf(sent, name);
    if (value === undefined || (value === null && name === 'variables')) continue;
    values[name] = value;
    any = true;
  }
  return any ? jsonField(JSON.stringify(redactor.fields(values))) : '';
}
