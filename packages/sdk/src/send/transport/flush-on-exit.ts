import { basename } from 'node:path';
import { loadLateModule } from '../../internal/late-modules.ts';
import { buildHeaders, type Target } from './post.ts';

/** Maximum bytes that are sent. More cannot be sent within a second. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Program of the child process. Reads lines from stdin (URL, then headers and body of each request), posts all bodies in parallel, and ends
 * after the responses. Shares no modules and no open handles with the host, and of its environment only `selectSystemVariables`.
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

/**
 * A body that must still be sent. The idempotency key prevents the server from storing the traces twice if the body arrived in an earlier
 * attempt.
 */
interface LastBody {
  readonly key: string;
  readonly json: string;
}

/**
 * Sends the remaining bodies, at most {@link LIMIT_BYTES}, from a process that is ending and runs no asynchronous code any more: a child
 * Node process sends them. Returns false if it does not end normally within `limitMs`, or if this program was not started as `node`, because
 * a bundled executable would start the host again.
 */
export function flushInChildProcess(target: Target, bodies: readonly LastBody[], limitMs: number): boolean {
  if (bodies.length === 0) return true;
  if (!/^node(js)?(\.exe)?$/i.test(basename(process.execPath))) return false;
  const lines = [target.url.href];
  let bytes = 0;
  for (const { key, json } of bodies) {
    bytes += json.length;
    if (bytes > LIMIT_BYTES) break;
    lines.push(JSON.stringify(buildHeaders(target, key)), json);
  }
  const ended = loadLateModule('node:child_process').spawnSync(process.execPath, ['-e', PROGRAM], {
    input: lines.join('\n'),
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: selectSystemVariables(process.env),
    windowsHide: true,
  });
  return ended.status === 0;
}

/**
 * Returns only the variables that the child process needs. The host's NODE_OPTIONS could load this SDK again; SystemRoot is required for
 * sockets on Windows.
 */
function selectSystemVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const copied: NodeJS.ProcessEnv = {};
  for (const name of ['SystemRoot', 'NODE_EXTRA_CA_CERTS', 'LD_LIBRARY_PATH']) {
    if (env[name] !== undefined) copied[name] = env[name];
  }
  return copied;
}
