import { readProperty, readTextProperty, replaceOnce } from '../internal/foreign.ts';
import { maxName } from '../internal/name-length.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';
import { callAsStep } from './call-as-step.ts';

/** Creates a step for each call that adds jobs, with the jobs' data. The steps of the commands sent to Redis are below this step. */
export function patchBullMq(exported: unknown): void {
  const queue = readProperty(readProperty(exported, 'Queue'), 'prototype');
  patchAdd(queue, 'add', (_name, data) => data);
  patchAdd(queue, 'addBulk', (jobs) => jobs);
}

function patchAdd(queue: unknown, method: string, dataOf: (...args: unknown[]) => unknown): void {
  replaceOnce(queue, method, (original) => {
    return function (...args) {
      const recording = getCurrentRecording();
      if (recording === undefined) return original.apply(this, args);
      const target = [readTextProperty(this, 'name'), typeof args[0] === 'string' ? args[0] : undefined];
      return callAsStep(
        recording,
        () => ({
          name: recording.shorten(
            `${method} ${target.filter((part) => part !== undefined).join('.')}`,
            maxName,
          ),
          type: 'queue',
          ...(recording.all && { inputs: recording.snapshot({ message: dataOf(...args) }) }),
        }),
        () => original.apply(this, args),
      );
    };
  });
}
