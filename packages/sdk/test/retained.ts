/**
 * Runs programs without the SDK (`plain`), instrumented (`loaded`), and instrumented and recorded (`recorded`). Prints, as JSON, which
 * values of each program are still alive when no code runs any more. Run with `--expose-gc` and a JSON list of CommonJS sources. Each
 * source exports a `main`, which creates values. The result of `main` stays referenced.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { runRecording } from '../src/record/async/work-context.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { MAX_HELD_MS } from '../src/record/errors/deferred-stacks.ts';
import { Recording } from '../src/record/recording.ts';
import { load, traced } from './traced.ts';

const sources: readonly string[] = JSON.parse(process.argv[2] ?? '[]');
/** Results of the programs, which stay referenced. */
const held: unknown[] = [];

/** Runs a program and keeps its result referenced. Returns a function that lists the values that are still alive. */
function start(compile: typeof load, source: string): () => string[] {
  const made = new Map<string, WeakRef<object>>();
  const make = (label: string): object => {
    const value = label.startsWith('error') ? Object.assign(new Error(label), { label }) : [label];
    made.set(label, new WeakRef(value));
    return value;
  };
  const never = new Promise(() => undefined);
  const { main } = compile(source, { make, held, never });
  // A promise references the code that awaits it. So the code that waits for `never` stays in memory, with all values that it retains.
  held.push(never, main?.());
  return () => [...made].flatMap(([label, value]) => (value.deref() === undefined ? [] : [label]));
}

const running = sources.map((source) => {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  return {
    plain: start(load, source),
    loaded: start(traced, source),
    recorded: runRecording(recording, () => start(traced, source)),
    recording,
  };
});
// The recorder retains errors for a limited time.
await sleep(2 * MAX_HELD_MS);
for (let turn = 0; turn < 5; turn++) {
  await sleep(1);
  globalThis.gc?.();
}
const alive = running.map(({ plain, loaded, recorded, recording }) => ({
  plain: plain(),
  loaded: loaded(),
  recorded: recorded(),
  steps: recording.finish().flow.map(({ stepName, error }) => `${stepName} ${error?.stack?.split('\n')[0]}`),
}));
console.log(JSON.stringify(alive));
