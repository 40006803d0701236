import { basename } from 'node:path';
import { lateModule } from '../../internal/late-modules.ts';
import { headersFor, type Target } from './post.ts';

/** More than this cannot be handed over in a second. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * The program of the other process: it reads lines from stdin (address, then headers and body of each request), posts all bodies at once,
 * and ends after the answers. It shares nothing with the host: no environment, no modules, no open handles.
 */
const PROGRAM = `
let text = '';
process.stdin.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
  const [url, ...requests] = text.trim().split('\\n');
  const { request } = require(url.startsWith('https:') ? 'node:https' : 'node:http');
  for (let at = 0; at + 1 < requests.length; at += 2) {
    request(url, { method: 'POST', headers: JSON.parse(requests[at]) })
      .on('error', () => {})
      .on('response', (response) => response.resume())
      .end(requests[at + 1]);
  }
});`;

/** A body that is still to be sent, under its idempotency key: if it arrived before, it is not stored twice. */
interface LastBody {
  readonly key: string;
  readonly json: string;
}

/**
 * Sends what is left from a process that is ending, in which nothing asynchronous runs any more: a second Node process does it, within `limitMs`.
 * Returns whether one ran to its end. Where this program is not started as `node` (a bundled executable would start the host once more), nothing is done.
 */
export function flushInChildProcess(target: Target, bodies: readonly LastBody[], limitMs: number): boolean {
  if (bodies.length === 0) return true;
  if (!/^node(js)?(\.exe)?$/i.test(basename(process.execPath))) return false;
  const lines = [target.url.href];
  let bytes = 0;
  for (const { key, json } of bodies) {
    bytes += json.length;
    if (bytes > LIMIT_BYTES) break;
    lines.push(JSON.stringify(headersFor(target, key)), json);
  }
  const ended = lateModule('node:child_process').spawnSync(process.execPath, ['-e', PROGRAM], {
    input: lines.join('\n'),
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: systemOnly(process.env),
    windowsHide: true,
  });
  return ended.status === 0;
}

/** Without the host's NODE_OPTIONS, which may load this SDK again; Windows does not open sockets without SystemRoot. */
function systemOnly(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {};
  for (const name of ['SystemRoot', 'NODE_EXTRA_CA_CERTS', 'LD_LIBRARY_PATH']) {
    if (env[name] !== undefined) kept[name] = env[name];
  }
  return kept;
}
