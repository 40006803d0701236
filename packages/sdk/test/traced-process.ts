/**
 * Preloaded into the child processes of the loaders' tests. Traces the folder in which the process runs. `record(fn)` prints the recorded
 * flow as one line of JSON.
 */
import { installLoaders } from '../src/loaders/install.ts';
import { runRecording } from '../src/record/async/work-context.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { Recording } from '../src/record/recording.ts';
import { asTaken, plainRules } from './traced.ts';

const list = (name: string): string[] => (process.env[name] ?? '').split(',').filter((glob) => glob !== '');

installLoaders({
  root: process.cwd(),
  include: list('TRACED_INCLUDE'),
  exclude: list('TRACED_EXCLUDE'),
  keepAfterMs: process.env.TRACED_KEEP === '1' ? 20 : undefined,
  report: (line) => console.log(`report: ${line}`),
});

async function record(fn: () => unknown): Promise<void> {
  const recording = new Recording({ capture: 'all', limits: defaultLimits, rules: plainRules });
  try {
    await runRecording(recording, () => fn());
  } catch {
    // The error is ignored here, because the step shows it.
  }
  console.log(`flow: ${JSON.stringify(recording.finish().flow.map(asTaken))}`);
}

Object.assign(globalThis, { record });
