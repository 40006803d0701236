import type { IngestAnswer } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import { refusalOfAge } from '../../platform/http/gates.ts';
import type { IngestProject } from '../projects/index.ts';
import type { Batch, BatchTrace } from './commit.ts';
import { encodeTrace } from './encode-trace.ts';
import type { ParsedBatch } from './parse-body.ts';
import { readTrace, TraceFault } from './read-trace.ts';
import { identify } from './trace-identity.ts';

type Rejection = IngestAnswer['rejected'][number];

/** Longer than this nothing else of the process waits for a batch being read. */
const SLICE_MS = 10;

export interface AdmitOptions {
  readonly project: IngestProject;
  /** Hash of the idempotency key, where one was sent. */
  readonly batchKey: string | undefined;
  readonly redactor: Redactor;
  readonly nowMicros: bigint;
}

/** Checks each trace of a body for itself and makes the rows of those that are accepted. Lets others run in between. */
export async function admitBatch(body: ParsedBatch, options: AdmitOptions): Promise<Batch> {
  const traces: BatchTrace[] = [];
  const rejected: Rejection[] = [];
  let sliceStartMs = performance.now();
  for (const index of body.traces.keys()) {
    const admitted = admitTrace(body, index, options);
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
    answer: { accepted: traces.length, rejected },
  };
}

function admitTrace(body: ParsedBatch, index: number, options: AdmitOptions): BatchTrace | Rejection {
  const { project, batchKey, redactor, nowMicros } = options;
  const { projectId } = project;
  try {
    const checked = readTrace(body.traces[index], nowMicros);
    const tooOld = refusalOfAge(project, checked.startMicros, nowMicros);
    if (tooOld !== undefined)
      return { index, code: 'too_old', message: `traces[${index}].timing.startTime: ${tooOld.message}` };
    const identity = identify(checked.head, checked.startMicros, { projectId, batchKey, index });
    const captured = body.captured;
    const encoding = {
      projectId,
      service: body.serviceOf(index),
      redactor,
      nowMicros,
      ...(captured === undefined ? {} : { captured: (step: number) => captured.of(index, step) }),
    };
    return { ...encodeTrace(checked, body.exact[index], identity, encoding), index };
  } catch (error) {
    if (!(error instanceof TraceFault)) throw error;
    return { index, code: 'invalid_trace', message: `traces[${index}]${error.message}` };
  }
}
