import type { CapturedValue } from '@throughline/contract/values';
import type { SpanView } from './describe-span.ts';

/** A query that a driver ran for an operation of an ORM or query builder. */
export interface SentQuery {
  readonly view: SpanView;
  readonly micros: number;
  /** Name of the instrumentation that reported the query. */
  readonly scope: string;
}

const PRISMA = 'prisma';
const KNEX = '@opentelemetry/instrumentation-knex';

/** True for an operation of Knex or Prisma that the author called directly. The driver's queries below the operation get no steps. */
export function isOperation(scope: string, attributes: Readonly<Record<string, unknown>>): boolean {
  return scope === KNEX || (scope === PRISMA && 'db.operation.name' in attributes);
}

/**
 * Adds the queries to an operation's view: the statements that were sent, their parameters, the number of rows, the first rows of a single
 * query, and the driver's time. For drivers without an instrumentation, Prisma itself reports the queries.
 */
export function withQueries(view: SpanView, sent: readonly SentQuery[]): SpanView {
  const withInputs = sent.filter(({ view: { inputs } }) => inputs !== undefined);
  const byDrivers = withInputs.filter(({ scope }) => scope !== PRISMA);
  const queries = byDrivers.length > 0 ? byDrivers : withInputs;
  const [first] = queries;
  if (first === undefined) return view;
  const rows = queries.flatMap(({ view: { outputs } }) =>
    typeof outputs?.rows === 'number' ? [outputs.rows] : [],
  );
  const firstRows = queries.length === 1 ? first.view.outputs?.firstRows : undefined;
  return {
    ...view,
    inputs: { ...view.inputs, ...(queries.length === 1 ? first.view.inputs : listStatements(queries)) },
    ...(rows.length > 0 && {
      outputs: {
        rows: rows.reduce((sum, count) => sum + count, 0),
        ...(firstRows !== undefined && { firstRows }),
      },
    }),
    rest: {
      ...first.view.rest,
      ...view.rest,
      'db.system.name': first.view.rest['db.system.name'] ?? view.rest['db.system.name'],
      driverMs: Math.round(queries.reduce((sum, { micros }) => sum + micros, 0)) / 1000,
    },
  };
}

function listStatements(queries: readonly SentQuery[]): { readonly statements: CapturedValue } {
  const texts = queries.map(({ view: { inputs } }) => inputs?.statement ?? inputs?.query);
  return { statements: texts.map((text) => (typeof text === 'string' ? text : null)) };
}
