import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answer, Collector, storeAll } from '@throughline/testkit/collector';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let collector: Collector;

beforeEach(async () => {
  collector = new Collector();
  await collector.start();
});
afterEach(() => collector.stop());

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the host with this Node version. The environment contains settings that would break a child process that inherited them. */
function runHost(how: string, url = collector.url): Promise<Ended> {
  const host = fileURLToPath(new URL('../host.fixture.ts', import.meta.url));
  const args = ['--conditions=source', '--no-warnings', host, url, how];
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=512', NODE_TEST_CONTEXT: '' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

describe('a process that ends', () => {
  it('delivers its last traces, redacted and complete, after process.exit, and keeps its exit code', async () => {
    expect(await runHost('exit')).toEqual({ code: 3, signal: null, stdout: '', stderr: '' });
    expect(collector.ids()).toEqual(['last']);
    expect(collector.received[0]?.headers).toMatchObject({ 'x-api-key': 'tl_test' });
    expect(collector.received[0]?.posted).toMatchObject({
      traces: [{ flow: [{ inputs: { password: { $type: 'redacted' }, text: 'line\nbreak 日本' } }] }],
    });
  });

  it('delivers its last traces after an uncaught error, and Node prints the error as usual', async () => {
    const { code, stderr } = await runHost('crash');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: the host broke');
    expect(collector.ids()).toEqual(['last']);
  });

  it('sends a batch again with the same idempotency key if the request with the batch has no response yet', async () => {
    collector.reply = (response, received, nth) => {
      if (nth > 1) storeAll(response, received, nth);
    };
    expect((await runHost('under way')).code).toBe(4);
    expect(collector.ids()).toEqual(['last', 'last']);
    expect(new Set(collector.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('sends its newest traces up to a size limit, and counts and reports the other traces as lost', async () => {
    collector.reply = (response, received, nth) => {
      if (nth === 1) response.writeHead(503, { 'retry-after': '30' }).end();
      else storeAll(response, received, nth);
    };
    const { stdout, stderr } = await runHost('much');
    const sent = new Set(
      collector.received.slice(1).flatMap(({ posted }) => posted.traces.map(({ _id }) => _id)),
    );
    const { lost } = JSON.parse(stdout) as { lost: number };
    expect([...sent]).toContain('12');
    expect(sent.size).toBeLessThan(12);
    // Twelve large traces, and the first one.
    expect(lost).toBe(13 - sent.size);
    expect(stderr).toContain(`${lost} traces were dropped, because too many were waiting`);
    const reported = collector.received.slice(1).map(({ posted }) => posted.lost?.traces ?? 0);
    expect(reported.reduce((sum, traces) => sum + traces)).toBe(lost);
  });

  const refused = (reason: string) =>
    `1 trace was dropped, because the server did not accept it when the process ended: ${reason}; npx @throughline/node doctor tests key and server\n`;

  it.each([
    [503, '', '503'],
    [401, { error: { code: 'invalid_api_key' } }, 'the API key is not valid (401 invalid_api_key)'],
    [400, { error: { code: 'invalid_json' } }, '400 invalid_json'],
    [200, '<html>', 'the program at this address is not a Throughline server; check the url'],
  ])(
    'counts and reports its last trace if the server refuses the trace with the status %i',
    async (status, body, reason) => {
      collector.reply = (response) => answer(response, status, body);
      const { code, stdout, stderr } = await runHost('exit and count');
      expect(code).toBe(5);
      expect(JSON.parse(stdout)).toEqual({ accepted: 0, rejected: 0, lost: 1 });
      expect(stderr).toBe(refused(reason));
    },
  );

  it('counts its last trace as accepted or rejected, depending on the response of the server', async () => {
    expect(JSON.parse((await runHost('exit and count')).stdout)).toEqual({
      accepted: 1,
      rejected: 0,
      lost: 0,
    });
    const rejected = [{ index: 0, code: 'too_old', message: 'Older than the plan keeps' }];
    collector.reply = (response) => answer(response, 200, { accepted: 0, rejected });
    const { stdout, stderr } = await runHost('exit and count');
    expect(JSON.parse(stdout)).toEqual({ accepted: 0, rejected: 1, lost: 0 });
    expect(stderr).toContain('the server rejects traces: too_old: Older than the plan keeps');
  });

  it('counts and reports its last trace if the response of the server is cut off', async () => {
    collector.reply = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"accepted"');
      setImmediate(() => response.destroy());
    };
    const { stdout, stderr } = await runHost('exit and count');
    expect(JSON.parse(stdout)).toEqual({ accepted: 0, rejected: 0, lost: 1 });
    expect(stderr).toBe(refused('ECONNRESET'));
  });

  it('keeps its exit code if the server is unreachable, and reports the lost trace', async () => {
    const { url } = collector;
    await collector.stop();
    expect(await runHost('exit', url)).toMatchObject({ code: 3, stderr: refused('ECONNREFUSED') });
    collector = new Collector();
    await collector.start();
  });

  it.runIf(isThorough())('makes no request if it has no traces', async () => {
    expect((await runHost('nothing')).code).toBe(0);
    expect(collector.received).toHaveLength(0);
  });

  it.runIf(isThorough())('is not kept alive by a queued trace', async () => {
    expect((await runHost('leave')).code).toBe(0);
  });

  // The SDK aborts a request without a response after 15 s. The time limit of this test is shorter, so the test fails if the host waits for
  // the abort.
  it('is not kept alive by a request without a response', { timeout: 14_000 }, async () => {
    collector.reply = () => {};
    expect((await runHost('hang')).code).toBe(0);
    expect(collector.ids()).toEqual(['last']);
  });
});
