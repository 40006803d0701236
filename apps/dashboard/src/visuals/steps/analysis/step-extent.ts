import { instantToMicros } from '@throughline/contract';
import type { StepForest, StepNode } from './step-forest.ts';

/** A stretch of time, in milliseconds from the trace's start; negative where a step began before it. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When a step ran. One that stands for many calls: from the first one's start to the last one's end. */
export function computeExtent({ step, startMs }: StepNode): Stretch {
  if (step.repeat === undefined) return { fromMs: startMs, toMs: startMs + step.duration };
  const [start, end] = [instantToMicros(step.startTime), instantToMicros(step.endTime)];
  const spanMs = start === undefined || end === undefined ? step.duration : Number(end - start) / 1000;
  return { fromMs: startMs, toMs: startMs + Math.max(0, spanMs) };
}

/** When an entry ran: a step by its key, or the first step of a bundle, whose key is that step's behind a mark. */
export function extentOfKey({ byKey }: StepForest, key: string | undefined): Stretch | undefined {
  const node = key === undefined ? undefined : (byKey.get(key) ?? byKey.get(key.slice(1)));
  return node === undefined ? undefined : computeExtent(node);
}
