import type { IngestAnswer } from '@throughline/contract';
import { checkAge } from '../../../platform/http/plan-limit-errors.ts';
import type { Batch, BatchTrace } from '../batch/batch.ts';
import type { ParsedBatch } from '../decode/parse-body.ts';
import { readTrace, TraceFault } from '../decode/read-trace.ts';
import { encodeTrace } from '../encode/encode-trace.ts';
import { encodeWithoutEchoes } from '../encode/hide-echoes.ts';
import { identify } from '../encode/trace-identity.ts';
import { AttributeNames } from './attribute-names.ts';
import type { Admission } from './intake.ts';
import { isReadingFailure, NOT_READABLE } from './reading-failures.ts';
import { SourceBudget } from './source-budget.ts';

type Rejection = IngestAnswer['rejected'][number];

/** Reading a batch yields to the event loop after about this time. */
const SLICE_MS = 10;

/** Checks each trace of a body separately and builds the rows of accepted traces. Yields to the event loop in between. */
export async function admitBatch(body: ParsedBatch, options: Admission): Promise<Batch> {
  const traces: BatchTrace[] = [];
  const rejected: Rejection[] = [];
  const limits = { sources: new SourceBudget(), names: new AttributeNames() };
  let sliceStartMs = performance.now();
  for (let index = 0; index < body.count; index++) {
    const admitted = admitTrace(body, index, options, limits);
    if ('code' in admitted) rejected.push(admitted);
    else traces.push(admitted);
    if (performance.now() - sliceStartMs > SLICE_MS) {
      await new Promise(setImmediate);
      sliceStartMs = performance.now();
    }
  }
  const { project, batchKey } = options;
  return {
    key: batchKey === undefined ? undefined : { projectId: project.projectId, key: batchKey },
    project,
    traces,
    spans: [],
    fullTraces: [],
    answer: { accepted: traces.length, rejected },
  };
}

/** Limits for all traces of a body together. */
interface BodyLimits {
  readonly sources: SourceBudget;
  readonly names: AttributeNames;
}

function admitTrace(
  body: ParsedBatch,
  index: number,
  options: Admission,
  { sources, names }: BodyLimits,
): BatchTrace | Rejection {
  const { project, batchKey, redactor, nowMicros } = options;
  const { projectId } = project;
  try {
    const { sent, exact, service, captured } = body.read(index);
    const checked = sources.fit(readTrace(sent, nowMicros));
    names.add(checked);
    const tooOld = checkAge(project, checked.startMicros, nowMicros);
    if (tooOld !== undefined)
      return { index, code: 'too_old', message: `traces[${index}].timing.startTime: ${tooOld.message}` };
    const identity = identify(checked.head, checked.startMicros, { projectId, batchKey, index });
    const encoding = { projectId, service, redactor, nowMicros, captured };
    const encode = () => encodeTrace(checked, exact, identity, encoding);
    return { ...encodeWithoutEchoes(redactor, encode), index };
  } catch (error) {
    if (error instanceof TraceFault)
      return { index, code: 'invalid_trace', message: `traces[${index}]${error.message}` };
    if (!isReadingFailure(error)) throw error;
    options.onFailure(error);
    return { index, code: 'invalid_trace', message: `traces[${index}]: ${NOT_READABLE}` };
  }
}
