import { ApiError, type routes, type Step, type Trace } from '@throughline/contract';
import type { z } from 'zod';
import { runWithPauses, type Work } from '../../../visuals/work/work.ts';
import type { SplitAnswer } from './split-flow.worker.ts';

type TraceAnswer = z.output<(typeof routes.traces.read)['answer']>;

/** A smaller response is parsed directly, which takes at most two frames. Bytes. */
const LARGE = 2_000_000;

/** Parses the trace in a response. A large response is split in a worker and parsed in parts, so that the page stays responsive. */
export async function readTrace(answer: Response, signal: AbortSignal): Promise<Trace> {
  try {
    const bytes = await answer.arrayBuffer();
    if (bytes.byteLength < LARGE) return parse(new TextDecoder().decode(bytes)).trace;
    const split = await cut(bytes.slice(0));
    if (split === undefined) return parse(new TextDecoder().decode(bytes)).trace;
    return await runWithPauses(joinParts(split), signal);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ApiError({
      status: answer.status,
      code: 'unreadable_answer',
      message: 'The trace could not be read: the connection was lost, or the response is not JSON.',
      cause,
    });
  }
}

function* joinParts({ frame, parts }: NonNullable<SplitAnswer>): Work<Trace> {
  const flow: Step[] = [];
  for (const part of parts) {
    for (const step of parseSteps(part)) flow.push(step);
    yield;
  }
  return { ...parse(frame).trace, flow };
}

/** Trusts the declared type: the server's tests check each response against the schema. */
function parse(text: string): TraceAnswer {
  return JSON.parse(text);
}

function parseSteps(text: string): Step[] {
  return JSON.parse(text);
}

function cut(bytes: ArrayBuffer): Promise<SplitAnswer> {
  const worker = new Worker(new URL('./split-flow.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<SplitAnswer>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<SplitAnswer>) => resolve(data));
    worker.addEventListener('error', (event) => reject(new Error(event.message)));
    worker.postMessage(bytes, [bytes]);
  }).finally(() => worker.terminate());
}
