import type { PGlite, Transaction } from '@electric-sql/pglite';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('shop');

/** The shop's database. Creates a span for each statement, as the instrumentation of a database's client library does. */
export class Database {
  readonly #connection: PGlite | Transaction;

  constructor(connection: PGlite | Transaction) {
    this.#connection = connection;
  }

  /** Runs one statement with the parameters `$1`, `$2` … `Row` is the type of the statement's rows. */
  async query<Row>(sql: string, ...parameters: readonly unknown[]): Promise<Row[]> {
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql };
    const span = tracer.startSpan('query', { kind: SpanKind.CLIENT, attributes });
    try {
      const { rows } = await this.#connection.query<Row>(sql, [...parameters]);
      span.setAttribute('db.response.returned_rows', rows.length);
      return rows;
    } catch (error) {
      if (error instanceof Error) span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  /** Calls `work` with a database whose statements run in one transaction. */
  async transaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (!('transaction' in this.#connection)) throw new Error('already inside a transaction');
    return await this.#connection.transaction((inside) => work(new Database(inside)));
  }

  async close(): Promise<void> {
    if ('close' in this.#connection) await this.#connection.close();
  }
}
