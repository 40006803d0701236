import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { isMethod, type Method, readProperty, replaceOnce } from '../../internal/foreign.ts';
import { type Patch, patchWith, type Tools } from './tools.ts';

/** Traces commands with their keys, but without the values that the commands write. */
export function create(tools: Tools): Patch {
  const patch = patchWith(new IORedisInstrumentation({ enabled: false, requireParentSpan: true }), tools);
  return (name, exports, folder) => {
    const send = readProperty(readProperty(exports, 'prototype'), 'sendCommand');
    const patched = patch(name, exports, folder);
    if (isMethod(send)) traceCommandsOnce(readProperty(patched, 'prototype'), send);
    return patched;
  };
}

/** Traces each command only once: a command that waits for the connection is passed to `sendCommand` a second time. */
function traceCommandsOnce(client: unknown, send: Method): void {
  const seen = new WeakSet<object>();
  replaceOnce(client, 'sendCommand', (traced) => {
    return function (...args) {
      const [command] = args;
      const known = typeof command === 'object' && command !== null && seen.has(command);
      if (known) return send.apply(this, args);
      if (typeof command === 'object' && command !== null) seen.add(command);
      return traced.apply(this, args);
    };
  });
}
