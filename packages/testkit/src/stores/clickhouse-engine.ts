import type { Readable } from 'node:stream';
import { Session } from 'chdb';
import { withRowsPipe } from './rows-pipe.ts';

/** One request to the engine. */
export interface Asked {
  readonly database: string;
  /** Values of `{name:Type}` in the statement, in the format of ClickHouse's HTTP interface. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  readonly statement: string;
  /** The rows of an INSERT as a stream, in the format named at the end of the statement. */
  readonly rows: Readable | undefined;
}

/** Maximum number of concurrent statements; further statements wait. */
const CONNECTIONS = 12;

/** Lets concurrent callers use the engine in this process. Each connection runs one statement at a time. */
export class ServedEngine {
  readonly #idle: Connection[];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(folder: string) {
    this.#idle = Array.from({ length: CONNECTIONS }, () => new Connection(folder));
  }

  /** Runs a statement on a free connection. @throws the engine's error if it rejects the statement */
  async run(asked: Asked): Promise<Buffer> {
    const connection =
      this.#idle.pop() ?? (await new Promise<Connection>((take) => this.#waiting.push(take)));
    try {
      return await connection.run(asked);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(connection);
      else next(connection);
    }
  }
}

class Connection {
  readonly #folder: string;
  #session: Session;
  /**
   * Settings of the previous statement. They must be reset, because over HTTP, settings apply only to the statement with which they are
   * sent.
   */
  #kept: readonly string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#session = new Session(folder);
  }

  /**
   * Replaces the session after a failed statement. Otherwise, the session's next result would include rows that the failed statement wrote.
   */
  async run(asked: Asked): Promise<Buffer> {
    try {
      return await this.#run(asked);
    } catch (error) {
      this.#session.close();
      this.#session = new Session(this.#folder);
      this.#kept = [];
      throw error;
    }
  }

  async #run({ database, parameters, settings, statement, rows }: Asked): Promise<Buffer> {
    const before = [
      ...this.#kept.map((name) => `SET ${name} = DEFAULT`),
      `USE \`${database}\``,
      ...[...settings].map(([name, value]) => `SET ${name} = ${quoted(value)}`),
      ...[...parameters].map(([name, value]) => `SET param_${name} = ${quoted(value)}`),
    ];
    this.#kept = [...settings.keys()];
    await this.#session.queryAsync(before.join('; '));
    if (rows !== undefined) return this.#insert(statement, rows);
    return Buffer.from((await this.#session.queryAsync(statement)).bytes());
  }

  /** Starts the insert before its rows arrive. Reads the rows from a pipe, because the engine would parse rows in the statement as SQL. */
  async #insert(statement: string, rows: Readable): Promise<Buffer> {
    return withRowsPipe(rows, async (pipe) => {
      const from = statement.replace(
        /\sFORMAT\s+(\w+)\s*$/i,
        ` FROM INFILE '${pipe}' COMPRESSION 'gzip' FORMAT $1`,
      );
      return Buffer.from((await this.#session.queryAsync(from)).bytes());
    });
  }
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
