import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { App } from './harness/app.ts';

/** Returns the traces of two requests, each with the source code that was sent with the trace. */
async function sendTwice(env: Readonly<Record<string, string>>) {
  const collector = new Collector();
  const app = new App('logs/app.js', { collector: await collector.start(), env });
  try {
    const url = await app.ready();
    await (await fetch(`${url}/console`)).text();
    const first = await collector.trace('/console');
    await (await fetch(`${url}/pino`)).text();
    const second = await collector.trace('/pino');
    return { first, second };
  } finally {
    await app.stop();
    await collector.stop();
  }
}

test('a service sends the source of each function with the first request that runs it, without secrets', async () => {
  const { first, second } = await sendTwice({});
  expect(first.sources).toHaveLength(1);
  const [source] = first.sources ?? [];
  expect(source).toMatchObject({ version: expect.stringMatching(/^[\w-]{12}$/) });
  for (const { filePath, lineNumber, functionName } of first.flow) {
    if (typeof filePath !== 'string') continue;
    expect(filePath).toBe(source?.file);
    const text = source?.functions?.find(({ line }) => line === lineNumber)?.text;
    expect(text, `${functionName}`).toBeDefined();
  }
  expect(JSON.stringify(first.sources)).not.toContain('hunter2');
  const again = second.sources?.[0];
  expect(again).toMatchObject({ file: source?.file, version: source?.version });
  const sent = new Set(source?.functions?.map(({ line }) => line));
  expect(again?.functions?.filter(({ line }) => sent.has(line)) ?? []).toEqual([]);
});

test.each(
  pickRows(
    [
      ['THROUGHLINE_SOURCE=off', { THROUGHLINE_SOURCE: 'off' }, false],
      ['only structure is captured', { THROUGHLINE_CAPTURE: 'structure' }, false],
      ['values are replaced by their types', { THROUGHLINE_REDACT: 'all-values' }, false],
      [
        'only structure is captured, and THROUGHLINE_SOURCE is on',
        { THROUGHLINE_CAPTURE: 'structure', THROUGHLINE_SOURCE: 'on' },
        true,
      ],
    ],
    { usually: 2 },
  ),
)('options decide if source code is sent: %s', async (_, env, isSent) => {
  const { first } = await sendTwice(env);
  expect(first.flow.length).toBeGreaterThan(0);
  expect(first.sources !== undefined).toBe(isSent);
});

/** Lists the service's uses of its own files. `before`: until its first response is written. `after`: from then on. */
async function listFileUses(source: string) {
  const collector = new Collector();
  const app = new App('logs/app.js', {
    collector: await collector.start(),
    env: { THROUGHLINE_SOURCE: source, THROUGHLINE_CACHE: 'off' },
    flags: ['--require', '../file-uses/print-file-uses.cjs', '--import', '@throughline/node/auto'],
  });
  try {
    await (await fetch(`${await app.ready()}/console`)).text();
    await collector.trace('/console');
    const [, before = '', after = ''] =
      /^([\s\S]*?)response written\n([\s\S]*)$/.exec((await app.stop()).stderr) ?? [];
    const uses = (text: string) => [...text.matchAll(/^file use: (.+)$/gm)].map(([, use]) => use);
    return { before: uses(before), after: uses(after) };
  } finally {
    await app.stop();
    await collector.stop();
  }
}

test('a service reads no file for source code before its first response is written', async () => {
  const [on, off] = [await listFileUses('on'), await listFileUses('off')];
  expect(on.before).toEqual(off.before);
  expect(on.after).toContain('readFileSync app.js');
  expect(off.after).toEqual([]);
});
