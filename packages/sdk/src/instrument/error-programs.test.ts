import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { failingProgram } from '../../test/failing-program.ts';
import { load, record, traced } from '../../test/traced.ts';

const runs = Number(process.env.ERROR_PROGRAMS ?? repetitions({ usually: 60, thoroughly: 10_000 }));
/** A fixed seed, so that each run tests the same programs. `ERROR_SEED=$RANDOM ERROR_PROGRAMS=20000` tests other programs. */
const seed = Number(process.env.ERROR_SEED ?? 20_261_129);

/** Yields pseudo-random numbers. The same seed yields the same numbers. */
function* listChoices(from: number): Generator<number, never> {
  let state = from;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    yield state >>> 12;
  }
}

async function outcome(run: (() => unknown) | undefined): Promise<string> {
  try {
    await run?.();
    return 'nothing was thrown';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : `threw ${typeof error}`;
  }
}

/** Loads a program. Returns undefined if the source is invalid, as when a name is declared twice. */
function loadValid(source: string): ReturnType<typeof load> | undefined {
  try {
    return load(source);
  } catch {
    return undefined;
  }
}

/** Matches V8's messages that contain a function's source. The test skips these messages, because instrumenting changes the source. */
const PRINTS_SOURCE = /=>|\bfunction ?\(|\bclass \w*|\{ return /;

test('random programs fail with the same error message with and without instrumentation', {
  timeout: 1_800_000,
}, async () => {
  const random = listChoices(seed);
  const differences: unknown[] = [];
  let tried = 0;
  let failed = 0;
  while (tried < runs) {
    const choices = Array.from({ length: 10 + (random.next().value % 40) }, () => random.next().value);
    const source = failingProgram(choices);
    const program = loadValid(source);
    if (program === undefined) continue;
    const plain = await outcome(program.main);
    if (PRINTS_SOURCE.test(plain)) continue;
    tried++;
    if (/^\w+Error: /.test(plain)) failed++;
    const idle = await outcome(traced(source).main);
    const { main } = traced(source);
    const { result: recorded } = await record(() => outcome(main));
    if (idle !== plain || recorded !== plain) differences.push([source, plain, idle, recorded]);
  }
  expect(differences).toEqual([]);
  expect(failed).toBeGreaterThan(runs * 0.7);
});
