import type { FrameworkFile } from '../../frameworks/framework.ts';
import { isMethod, readProperty, readTextProperty, replaceOnce } from '../../internal/foreign.ts';
import { runGuarded } from '../../internal/report.ts';
import { propagation } from '../../record/async/async-parent.ts';
import { type RunningQuery, startQuery, wrapMethod } from './query.ts';

const DRIVER = 'postgres';

/**
 * A postgres.js query is a lazy promise, which starts when it is first awaited. `then`, `catch` and the like all call
 * `handle`, so `handle` is wrapped.
 */
export const postgresJsFile: FrameworkFile = {
  packages: [DRIVER],
  file: 'query.js',
  couldBe: (exported) =>
    isMethod(readProperty(readProperty(readProperty(exported, 'Query'), 'prototype'), 'handle')),
  patch(exported) {
    propagation.on = true;
    replaceOnce(readProperty(readProperty(exported, 'Query'), 'prototype'), 'handle', (original) => {
      return function (...args) {
        if (readProperty(this, 'executed') === false) {
          const query = startQuery(() => ({
            driver: DRIVER,
            system: 'postgresql',
            text: findText(this),
            values: findValues(this),
          }));
          if (query !== undefined) runGuarded('Recording a query', () => endWith(query, this));
        }
        return original.apply(this, args);
      };
    });
    return undefined;
  },
};

/**
 * Ends the step when the query ends: the driver calls `resolve` or `reject`. For a cursor, the driver calls `cursorFn` for each page, and
 * the step ends with the first page.
 */
function endWith(query: RunningQuery, running: unknown): void {
  wrapMethod(running, 'resolve', (result) => {
    query.describe(findText(running));
    const count = readProperty(result, 'count');
    query.end(typeof count === 'number' ? count : undefined, result);
  });
  wrapMethod(running, 'reject', (error) => {
    query.describe(findText(running));
    query.fail(error);
  });
  wrapMethod(running, 'cursorFn', (rows) => query.end(Array.isArray(rows) ? rows.length : undefined, rows));
}

/** Finds the SQL as it was sent to the server. Before the SQL is sent, builds it from the template's parts. */
function findText(query: unknown): string | undefined {
  const sent = readTextProperty(readProperty(query, 'statement'), 'string');
  if (sent !== undefined) return sent;
  const strings = readProperty(query, 'strings');
  if (!Array.isArray(strings)) return undefined;
  return strings.reduce(
    (text: string, part: unknown, index) => (index === 0 ? `${part}` : `${text}$${index}${part}`),
    '',
  );
}

function findValues(query: unknown): readonly unknown[] | undefined {
  const values = readProperty(query, 'args');
  return Array.isArray(values) ? values : undefined;
}
