import type { Tracer, TracerProvider } from '@opentelemetry/api';
import { MySQL2Instrumentation } from '@opentelemetry/instrumentation-mysql2';
import { readProperty, replaceOnce } from '../../internal/foreign.ts';
import { runGuarded } from '../../internal/report.ts';
import { returnedRows } from '../../otel/spans/attribute-names.ts';
import { readMysqlCall } from '../drivers/mysql-call.ts';
import { keepContext, type Patch, patchWith, type Tools } from './tools.ts';

/** The arguments of a call that sends a statement, until the statement's span starts. The instrumentation's hooks do not receive the values. */
let sending: readonly unknown[] | undefined;

export function create(tools: Tools): Patch {
  const instrumentation = new MySQL2Instrumentation({
    enabled: false,
    // Keeps the SQL as the host wrote it, with its placeholders. Literals in the SQL are masked later, when the step is described.
    maskStatement: true,
    maskStatementHook: (statement) => statement,
    responseHook(span, { queryResults }) {
      const results: unknown = queryResults;
      tools.noteRows(span, results);
      if (Array.isArray(results)) span.setAttribute(returnedRows, results.length);
      else if (typeof results === 'object' && results !== null && 'affectedRows' in results) {
        const { affectedRows } = results;
        if (typeof affectedRows === 'number') span.setAttribute(returnedRows, affectedRows);
      }
    },
  });
  const patch = patchWith(instrumentation, { ...tools, provider: noteValuesOnStart(tools) });
  return (name, exports, folder) => {
    if (name.endsWith('/pool.js')) {
      keepContext(readProperty(exports, 'prototype'), 'getConnection', tools);
      return exports;
    }
    const patched = patch(name, exports, folder);
    if (name.endsWith('/connection.js')) noteArguments(readProperty(patched, 'prototype'));
    return patched;
  };
}

/** Returns a provider whose tracers capture the bound values when the span of a statement starts. */
function noteValuesOnStart({ provider, noteBoundValues }: Tools): TracerProvider {
  return {
    getTracer(...of) {
      const tracer = provider.getTracer(...of);
      const startSpan: Tracer['startSpan'] = (...start) => {
        const span = tracer.startSpan(...start);
        const call = sending;
        sending = undefined;
        if (call !== undefined)
          runGuarded('Reading a statement', () => {
            const { text, values } = readMysqlCall(call);
            noteBoundValues(span, text, values);
          });
        return span;
      };
      return { startSpan, startActiveSpan: tracer.startActiveSpan.bind(tracer) };
    },
  };
}

function noteArguments(prototype: unknown): void {
  for (const method of ['query', 'execute'])
    replaceOnce(findOwner(prototype, method), method, (original) => {
      return function (...args) {
        sending = args;
        try {
          return original.apply(this, args);
        } finally {
          sending = undefined;
        }
      };
    });
}

/** Finds the prototype that has the method. In newer versions of the driver, a base class has the methods. */
function findOwner(prototype: unknown, method: string): unknown {
  let owner = prototype;
  while (typeof owner === 'object' && owner !== null && !Object.hasOwn(owner, method))
    owner = Object.getPrototypeOf(owner);
  return owner;
}
