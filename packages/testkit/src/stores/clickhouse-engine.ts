import type { Readable } from 'node:stream';
import { Session } from 'chdb';
import { withRowsPipe } from './rows-pipe.ts';

/** One request to the engine. */
export interface Asked {
  readonly database: string;
  /** Values of `{name:Type}` as ClickHouse's HTTP interface takes them, and settings: for this statement alone. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  readonly statement: string;
  /** The rows of an INSERT as they come, in the format that its statement ends with. */
  readonly rows: Readable | undefined;
}

/** Statements that run at the same moment; further ones wait. */
const CONNECTIONS = 12;

/** The engine in this process, for several who ask at once: a connection does one statement at a time. */
export class ServedEngine {
  readonly #idle: Connection[];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(folder: string) {
    this.#idle = Array.from({ length: CONNECTIONS }, () => new Connection(folder));
  }

  /** @throws where the engine refuses the statement, in its own words */
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
  /** Settings of the statement before: over HTTP they would be gone with it. */
  #kept: readonly string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#session = new Session(folder);
  }

  /** A failed statement leaves the rows that it wrote to the session's next answer: a new session has none. */
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

  /** Runs from now on, as soon as its rows come: within a statement, they would be gone through as if they were SQL. */
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
