import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { App, type End } from './harness/app.ts';

let collector: Collector;
let address: string;
beforeEach(async () => {
  collector = new Collector();
  address = await collector.start();
});
afterEach(() => collector.stop());

const auto = ['--import', '@throughline/node/auto'];

function run(patch: string, watched: boolean, flags: readonly string[] = []): Promise<End> {
  const env = { PATCH: patch };
  if (!watched) return new App('hostile/app.js', { collector: undefined, env }).ended;
  return new App('hostile/app.js', { collector: address, flags: [...flags, ...auto], env }).ended;
}

const outcome = ({ code, signal, stdout }: End) => ({ code, signal, stdout });

test.each(pickRows(['none', 'frozen', 'promise', 'broken', 'clockless'], { usually: 3 }))(
  'a host with hostile values and patched built-ins (%s) ends in the same way as without the SDK',
  async (patch) => {
    const [plain, watched] = await Promise.all([run(patch, false), run(patch, true)]);
    expect(outcome(watched)).toEqual(outcome(plain));
    expect(plain.stdout).toContain('touched');
    expect(plain.code).toBe(0);
    // If built-ins throw, the SDK can be unable to send traces, and prints a line that explains why. So traces and stderr are not checked.
    if (patch === 'broken' || patch === 'clockless') return;
    const requests = plain.stdout.split('\n').filter((line) => line.includes(': ')).length;
    expect(requests).toBeGreaterThan(25);
    const traces = collector.traces.filter(({ flow }) => flow.some(({ stepName }) => stepName === 'tryAll'));
    expect(traces).toHaveLength(requests);
    expect(traces.every(({ flow }) => flow.some(({ stepName }) => stepName === 'rejectIt'))).toBe(true);
    expect(watched.stderr).toBe('');
  },
);
