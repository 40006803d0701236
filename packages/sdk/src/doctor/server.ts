import { randomUUID } from 'node:crypto';
import type { Settings } from '../config/options.ts';
import { sdkVersion } from '../config/version.ts';
import { type Answer, classifyResponse } from '../send/transport/outcome.ts';
import { Connections, post } from '../send/transport/post.ts';
import type { Check } from './findings.ts';
import { type TestService, testPath, testPost } from './test-trace.ts';

/** A key that no server knows, used to test if a server responds. */
const nobodysKey = 'tl_none';
const longestMs = 60_000;

/**
 * Sends a test trace in the way the SDK sends traces, and returns the results for server, key and trace. A server responds with 200 only
 * after the trace is on disk.
 */
export async function checkServer(settings: Settings, service: TestService): Promise<Check[]> {
  const url = new URL(`${settings.url}/api/ingest/traces`);
  const apiKey = settings.apiKey ?? nobodysKey;
  const userAgent = `@throughline/node/${sdkVersion} doctor`;
  const connections = new Connections({ url, apiKey, userAgent });
  // Keeps the process alive until the server has responded, because the SDK's connections do not.
  const hold = setTimeout(() => {}, longestMs);
  try {
    const answer = await post(connections, randomUUID(), testPost(service));
    const checks = checkAnswer(answer, settings);
    return settings.apiKey === undefined ? [keyMissing, ...checks] : checks;
  } finally {
    clearTimeout(hold);
    connections.close();
  }
}

const keyMissing: Check = {
  about: 'key',
  state: 'failed',
  says: 'THROUGHLINE_API_KEY is not set',
  remedy:
    'copy the key from your project (Manage API Key) and export THROUGHLINE_API_KEY=tl_…; if it is in a file: node --env-file=.env node_modules/.bin/throughline-node doctor',
};

function checkAnswer(answer: Answer, { url, apiKey }: Settings): Check[] {
  const { status } = answer;
  if (status === 0) return [reportUnreachable(url, answer.failure ?? 'no answer')];
  const outcome = classifyResponse(answer, Date.now());
  const answers: Check = { about: 'server', state: 'ok', says: `${url} responds` };
  const keyIs = (state: 'ok' | 'failed', says: string, remedy?: string): Check[] =>
    apiKey === undefined ? [] : [{ about: 'key', state, says, ...(remedy !== undefined && { remedy }) }];
  const known = keyIs('ok', `the server accepts the key ${maskKey(apiKey ?? '')}`);
  const trace = (says: string, remedy: string): Check => ({
    about: 'test trace',
    state: 'failed',
    says,
    remedy,
  });
  if (status === 401) {
    const remedy =
      'copy the key again from your project (Manage API Key): someone may have regenerated the key';
    return [answers, ...keyIs('failed', `the server does not know the key ${maskKey(apiKey ?? '')}`, remedy)];
  }
  if (status === 402) {
    return [
      answers,
      ...known,
      trace('the trial has ended: the server accepts no traces', 'choose a plan under Billing'),
    ];
  }
  if (status === 429) {
    const remedy = 'wait for the next billing period, or choose a larger plan under Billing';
    return [answers, ...known, trace('the server accepts no more traces now (429)', remedy)];
  }
  if (status >= 500) {
    const says = `the server at ${url} cannot accept traces now (${status})`;
    return [
      {
        about: 'server',
        state: 'failed',
        says,
        remedy: 'wait until the server is ready; its log contains the reason',
      },
    ];
  }
  if (outcome.kind !== 'stored') {
    const says = `the program at ${url} does not accept traces (${status})`;
    return [
      {
        about: 'server',
        state: 'failed',
        says,
        remedy: 'check THROUGHLINE_URL: it must be the URL of the dashboard',
      },
    ];
  }
  if (outcome.rejected > 0) {
    const says = `the server rejected the test trace: ${outcome.reason ?? 'no reason given'}`;
    return [answers, ...known, trace(says, 'check the clock of this machine and the version of the server')];
  }
  const stored = `a test trace is stored: look for ${testPath} in the dashboard`;
  return [answers, ...known, { about: 'test trace', state: 'ok', says: stored }];
}

function reportUnreachable(url: string, failure: string): Check {
  const check = (remedy: string): Check => ({
    about: 'server',
    state: 'failed',
    says: `${url} cannot be reached (${failure})`,
    remedy,
  });
  switch (failure) {
    case 'ECONNREFUSED':
      return check(
        'no program listens at this address: start the server (npm start), or set THROUGHLINE_URL to its address',
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return check('this machine cannot resolve the host name: check THROUGHLINE_URL');
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return check(
        "Node does not trust the server's certificate: pass the issuer's certificate with NODE_EXTRA_CA_CERTS=file.pem",
      );
    case 'CERT_HAS_EXPIRED':
      return check("the server's certificate has expired: renew it");
    case 'EPROTO':
      return check('the server does not use TLS: THROUGHLINE_URL may have to begin with http://');
    default:
      return check('check THROUGHLINE_URL, and whether a firewall or proxy blocks the connection');
  }
}

export function maskKey(key: string): string {
  return `tl_••••••••${key.slice(-4)}`;
}
