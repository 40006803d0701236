import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, 'report.ts');

/** Runs a program that uses the SDK's reporting. If `closed` is true, the program's stderr is closed. */
async function run(program: string, closed = false) {
  const code = `import { runGuarded, report, reportDetail, reportFault, setDebug } from ${JSON.stringify(source)};\n${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
  });
  if (closed) child.stderr.destroy();
  else
    child.stderr.on('data', (text: Buffer) => {
      err += text.toString();
    });
  const [status]: unknown[] = await once(child, 'close');
  return { status, out, err };
}

test('the SDK prints each line only once, and only to stderr', async () => {
  expect(await run("report('first'); report('second'); report('first');")).toEqual({
    status: 0,
    out: '',
    err: '[throughline] first\n[throughline] second\n',
  });
});

test('an error message is printed on one line without control characters', async () => {
  const { err } = await run(
    "runGuarded('Doing it', () => { throw new Error('one\\ntwo\\u001b[2Jthree'); });",
  );
  expect(err).toBe(
    '[throughline] Doing it failed and was skipped: one two [2Jthree; THROUGHLINE_DEBUG=1 shows where\n',
  );
});

test('the SDK prints details and stacks only if debug is on', async () => {
  expect((await run("reportDetail('detail');")).err).toBe('');
  const { err } = await run("setDebug(true); reportDetail('detail'); reportFault('It', new Error('why'));");
  expect(err).toMatch(
    /^\[throughline\] detail\n\[throughline\] It failed and was skipped: Error: why\n {4}at /,
  );
});

test('the SDK prints at most 200 lines, and then a line that names this limit', async () => {
  const { err } = await run("for (let line = 0; line < 1000; line++) report('line ' + line);");
  const lines = err.trim().split('\n');
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toBe(
    '[throughline] more was said than 200 lines: the rest is left out; THROUGHLINE_DEBUG=1 shows all',
  );
});

test('the host continues if stderr is closed or throws', async () => {
  const program =
    "setTimeout(() => { report('heard by none'); setTimeout(() => console.log('alive'), 100); }, 100);";
  expect(await run(program, true)).toMatchObject({ status: 0, out: 'alive\n' });
  const throwing =
    "process.stderr.write = () => { throw new Error('no'); }; report('x'); console.log('alive');";
  expect(await run(throwing)).toMatchObject({ status: 0, out: 'alive\n' });
});
