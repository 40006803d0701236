/**
 * Finishes many recordings, each retained by a timer of its request, and prints how many bytes each retains. With the
 * argument `drop`, the recordings end without a trace. Run with `--expose-gc`.
 */
import { runRecording } from '../src/record/async/work-context.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { Recording } from '../src/record/recording.ts';
import { returnWriter } from '../src/record/writer/writer-pool.ts';
import { traced } from './traced.ts';

const RECORDINGS = 300;
const { main } = traced(`
function line(order) { return { order, sums: [1, 2, 3] } }
exports.main = function main() {
  for (let i = 0; i < 300; i++) line({ i, a: { b: { c: 'x'.repeat(20) } }, list: [{ i }, { i }] })
  setTimeout(() => 0, 1e8).unref()
}`);

function measureMemory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function finishOne(): number {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  runRecording(recording, () => main?.());
  const steps = recording.steps.length;
  if (process.argv[2] === 'drop') recording.drop();
  else {
    const { writer } = recording.finish();
    if (writer !== null) returnWriter(writer);
  }
  return steps;
}

// The first recordings are not measured, because they fill the buffer pool and the compiler's caches.
for (let warm = 0; warm < 40; warm++) finishOne();
const before = measureMemory();
let steps = 0;
for (let count = 0; count < RECORDINGS; count++) steps += finishOne();
const kept = (measureMemory() - before) / RECORDINGS;
console.log(JSON.stringify({ steps: steps / RECORDINGS, kept: Math.round(kept) }));
