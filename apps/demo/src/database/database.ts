import type { PGlite, Transaction } from '@electric-sql/pglite';

/** The shop's database: SQL in, rows out. */
export class Database {
  readonly #connection: PGlite | Transaction;

  constructor(connection: PGlite | Transaction) {
    this.#connection = connection;
  }

  /** Runs one statement with `$1`, `$2` … filled in. `Row` is what the statement's columns are. */
  async query<Row>(sql: string, ...parameters: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.#connection.query<Row>(sql, [...parameters]);
    return rows;
  }

  /** Does the work whole or not at all. */
  async transaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (!('transaction' in this.#connection)) throw new Error('already inside a transaction');
    return await this.#connection.transaction((inside) => work(new Database(inside)));
  }

  async close(): Promise<void> {
    if ('close' in this.#connection) await this.#connection.close();
  }
}
