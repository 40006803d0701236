/**
 * Finishes many recordings while the host keeps a closure of each, and prints how many recordings are still in memory. The closure is made
 * by the first call of a function, which becomes a step. With the argument `counted`, the closure is made by the last call, which is only
 * counted in a call aggregate. Run with `--expose-gc`.
 */
import { runRecording } from '../src/record/async/work-context.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { Recording } from '../src/record/recording.ts';
import { traced } from './traced.ts';

const RECORDINGS = 50;
const { main } = traced(`
function listen(i) { return () => i }
exports.main = function main(counted) {
  const first = listen(0)
  let last
  for (let i = 1; i < 300; i++) last = listen(i)
  return counted ? last : first
}`);
const held: unknown[] = [];

function finishOne(): WeakRef<Recording> {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  runRecording(recording, () => held.push(main?.(process.argv[2] === 'counted')));
  recording.finish();
  return new WeakRef(recording);
}

const recordings = Array.from({ length: RECORDINGS }, finishOne);
// A weak reference keeps its target in memory until the running task ends.
setTimeout(() => {
  globalThis.gc?.();
  const alive = recordings.filter((recording) => recording.deref() !== undefined).length;
  console.log(JSON.stringify({ held: held.length, alive }));
}, 10);
