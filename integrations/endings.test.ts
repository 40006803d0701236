import { answer, Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { App, type End } from './harness/app.ts';

let collector: Collector;
let address: string;

beforeEach(async () => {
  collector = new Collector();
  address = await collector.start();
});
afterEach(() => collector.stop());

function run(ending: string, url: string | undefined): Promise<End> {
  return new App('endings/once.js', { collector: url, env: { ENDING: ending } }).ended;
}

/**
 * Returns the parts of an ending that must be the same with and without the SDK. Keeps only two kinds of lines from stderr: error messages,
 * and stack frames in the host's own file, without column numbers.
 */
function seen({ code, signal, stdout, stderr }: End) {
  const lines = stderr.split('\n').filter((line) => /^\w*Error:|endings\/once\.js:\d+:\d+\)?$/.test(line));
  return { code, signal, stdout, stderr: lines.map((line) => line.replace(/:\d+(\)?)$/, '$1')) };
}

/** `npm run test:long` tries all ways to end, `npm test` tries three. */
const ENDINGS = [
  'exit',
  'crash',
  'reject',
  'close',
  'SIGUSR2',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'handled SIGTERM',
  'handled SIGINT',
  'handled SIGUSR2',
  'raised again SIGUSR2',
  'raised again at once SIGTERM',
];

describe.each(pickRows(ENDINGS, { usually: 3 }))('a host that ends by: %s', (ending) => {
  test('exits in the same way as without the SDK, and delivers its last trace', async () => {
    const plain = await run(ending, undefined);
    expect(seen(await run(ending, address))).toEqual(seen(plain));
    const last = await collector.trace('/last');
    expect(last.flow.map(({ stepName }) => stepName)).toEqual(['serve', 'work']);
  });

  test('exits in the same way as without the SDK, if the server is unreachable', async () => {
    const plain = await run(ending, undefined);
    await collector.stop();
    expect(seen(await run(ending, address))).toEqual(seen(plain));
  });
});

test('the last trace is delivered if the host is killed after a flush', async () => {
  expect(await run('flush', address)).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  const last = await collector.trace('/last');
  expect(last.flow.map(({ stepName }) => stepName)).toEqual(['serve', 'work']);
});

test('a crash is shown as the error of the request that caused the crash', async () => {
  await run('crash', address);
  expect(await collector.trace('/crash')).toMatchObject({
    error: { hasError: true, errorMessage: 'crashed on purpose' },
    attributes: { 'throughline.unfinished': true },
  });
  await run('reject', address);
  expect((await collector.trace('/reject')).error.errorMessage).toBe('crashed on purpose');
});

test('the host ends as without the SDK if the server refuses traces, fails or returns an invalid response', async () => {
  const plain = await run('close', undefined);
  for (const status of [401, 402, 413, 429, 500, 503, 200]) {
    collector.reply = (response) => answer(response, status, 'nonsense');
    const { code, stdout } = await run('close', address);
    expect({ code, stdout }).toEqual({ code: plain.code, stdout: plain.stdout });
  }
});

test('nothing is traced without an API key, and one line reports the missing key', async () => {
  const plain = await run('close', undefined);
  const keyless = new App('endings/once.js', {
    collector: address,
    env: { ENDING: 'close', THROUGHLINE_API_KEY: '' },
  });
  const end = await keyless.ended;
  expect({ ...end, stderr: '' }).toEqual(plain);
  expect(end.stderr).toBe(
    '[throughline] no API key (option apiKey or THROUGHLINE_API_KEY): nothing is traced\n',
  );
  expect(collector.traces).toEqual([]);
});
