import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { findFreePort } from '@throughline/testkit/free-port';
import { responds, untilReady } from '@throughline/testkit/service-process';
import type { Expected, NamedBug, Sent } from './bug.ts';

interface Outlet {
  readonly url: string;
  readonly apiKey: string;
}

/** Trace ids of the requests that are examined. */
export interface SentRequests {
  readonly failing: string;
  readonly passing: string;
}

/**
 * Runs a bug's service with the SDK and sends all its requests. Throws if the passing or the failing request gets another response than the
 * bug describes.
 */
export function provoke(bug: NamedBug, outlet: Outlet): Promise<SentRequests> {
  return withService(bug, outlet, async (origin) => {
    for (const request of bug.warmUp) await send(origin, request);
    const passing = await sendExpecting(origin, bug.passing);
    for (const request of bug.before) await send(origin, request);
    const [failing] = await Promise.all([
      sendExpecting(origin, bug.failing),
      ...bug.together.map((request) => send(origin, request)),
    ]);
    return { failing, passing };
  });
}

/** Runs a bug's service with the SDK and sends the requests that succeed. Returns their number. */
export function sendSuccesses(bug: NamedBug, outlet: Outlet): Promise<number> {
  return withService(bug, outlet, async (origin) => {
    for (const request of bug.warmUp) await send(origin, request);
    await sendExpecting(origin, bug.passing);
    return bug.warmUp.length + 1;
  });
}

async function withService<Result>(
  bug: NamedBug,
  outlet: Outlet,
  run: (origin: string) => Promise<Result>,
): Promise<Result> {
  const port = await findFreePort();
  const service = spawn(process.execPath, ['--import', '@throughline/node/auto', 'service.mjs'], {
    cwd: bug.folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      THROUGHLINE_URL: outlet.url,
      THROUGHLINE_API_KEY: outlet.apiKey,
      THROUGHLINE_SERVICE: bug.name,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const origin = `http://127.0.0.1:${port}`;
    await untilReady(service, bug.name, () => responds(`${origin}/favicon.ico`));
    return await run(origin);
  } finally {
    const ended = once(service, 'exit');
    // On SIGTERM, the SDK sends the remaining traces before the process exits.
    service.kill('SIGTERM');
    await ended;
  }
}

async function sendExpecting(origin: string, request: Expected): Promise<string> {
  const { status, text, traceId } = await send(origin, request);
  const { expect } = request;
  if (status !== expect.status || !text.includes(expect.bodyIncludes ?? '')) {
    throw new Error(`${request.method} ${request.path} was answered with ${status} ${text.slice(0, 300)}`);
  }
  return traceId;
}

async function send(origin: string, { method, path, headers, body }: Sent) {
  const traceId = randomBytes(16).toString('hex');
  const answer = await fetch(origin + path, {
    method,
    headers: {
      ...headers,
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text(), traceId };
}
