import { createServer, type RequestListener, type Server } from 'node:http';
import { installEntry } from '../src/http/entry.ts';
import { buildFinishedTrace } from '../src/http/trace/finished-trace.ts';
import type { RequestTrace } from '../src/http/trace/request-trace.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { Recording } from '../src/record/recording.ts';
import type { WireTrace } from '../src/send/encode/wire.ts';
import { plainRules } from './traced.ts';
import { toWireStep } from './wire-step.ts';

/** The host of the HTTP hooks for the servers of this process. A test may change it before a request. */
export const host = {
  on: true,
  missed: () => {},
  sampleRate: 1,
  samples: (): boolean => host.sampleRate > 0,
  bodyBytes: 64 * 1024,
  newRecording: () => new Recording({ capture: 'all', limits: defaultLimits, rules: plainRules }),
  active: [],
  begin: () => {},
  end(trace: RequestTrace) {
    const withValues = host.bodyBytes > 0;
    const nowMs = trace.closedMs ?? performance.now();
    const {
      flow,
      secrets: _,
      writer: __,
      leavesOutMessages: ___,
      ...head
    } = buildFinishedTrace(trace, {
      nowMs,
      withMessages: true,
      withValues,
      withHeaders: withValues,
      unfinished: trace.cut,
    });
    ended.push({ ...head, flow: flow.map(toWireStep) });
  },
};

const ended: WireTrace[] = [];

/** Installs the HTTP hooks. Must be called only once per process. */
export function watch(): void {
  installEntry(host);
}

export async function nextTrace(): Promise<WireTrace> {
  for (;;) {
    const trace = ended.shift();
    if (trace !== undefined) return trace;
    await new Promise((wait) => setTimeout(wait, 2));
  }
}

/** Returns the number of finished traces that no test has read, and removes these traces. */
export function unexpectedTraces(): number {
  return ended.splice(0).length;
}

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  close(): Promise<void>;
}

export async function serve(listener: RequestListener, server = createServer(listener)): Promise<Running> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    server,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
