/**
 * Generates the traces of bench:ui: many requests for a long list, and single traces that are each large in one respect. The same arguments
 * give the same traces, except for the ids in `requestOfBytes`.
 */
import { randomBytes } from 'node:crypto';
import { seeded } from '../lib/trace-generator.ts';

const TYPES = ['function', 'database', 'function', 'http', 'cache', 'function'] as const;
/** `FAN`: number of steps below each caller. `FUNCTIONS`: number of distinct functions. */
const FAN = 40;
const FUNCTIONS = 37;

type Sent = Readonly<Record<string, unknown>>;

/** Builds the trace of a request without steps, for a row of a list. The higher `index`, the older the request. */
export function listedRequest(index: number, nowMs: number): Sent {
  const failed = index % 23 === 0;
  return {
    request: { method: index % 3 === 0 ? 'POST' : 'GET', path: `/parts/${index}`, route: '/parts/:id' },
    response: { statusCode: failed ? 500 : 200 },
    timing: { startTime: new Date(nowMs - index * 500).toISOString(), duration: 1 + ((index * 7919) % 900) },
  };
}

/** Builds the trace of a request with the given number of steps, in a tree of several levels. One step in a thousand failed. */
export function requestOfSteps(steps: number, nowMs: number): Sent {
  const random = seeded(steps);
  const totalMs = steps / 20;
  const flow = Array.from({ length: steps }, (_, index) => {
    const name = `load${(index * 7) % FUNCTIONS}`;
    return {
      stepId: `s${index}`,
      // Numbers the steps level by level, as in an array-based heap. Each step has FAN children, so the tree of 100,000 steps has four
      // levels below its root.
      parentStepId: index === 0 ? null : `s${Math.floor((index - 1) / FAN)}`,
      stepName: name,
      functionName: name,
      stepType: TYPES[index % TYPES.length],
      filePath: `src/${name}.ts`,
      lineNumber: 1 + (index % 300),
      startTime: new Date(nowMs + Math.floor((index / steps) * totalMs)).toISOString(),
      duration: index === 0 ? totalMs : Math.round(random() * 3000) / 1000,
      inputs: { id: index, name: `part ${Math.floor(random() * 1000)}` },
      ...(index % 1000 === 999 ? { error: { name: 'Error', message: `part ${index} is gone` } } : {}),
    };
  });
  return { ...listedRequest(0, nowMs), request: { method: 'GET', path: `/steps/${steps}` }, flow };
}

/** Builds the trace of a request whose response is JSON of the given size. */
export function requestOfBytes(bytes: number, nowMs: number): Sent {
  const line = () => ({ id: randomBytes(8).toString('hex'), note: 'x'.repeat(150), price: 12.5 });
  const body = Array.from({ length: Math.ceil(bytes / JSON.stringify(line()).length) }, line);
  return {
    ...listedRequest(1, nowMs),
    request: { method: 'GET', path: '/bytes' },
    response: { statusCode: 200, body },
  };
}
