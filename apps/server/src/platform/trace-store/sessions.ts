import { type ChdbResult, Session } from 'chdb';
import type { QueryParams } from './open.ts';
import { parametersSet, withParameters } from './text/parameters.ts';

/**
 * A DELETE waits for the mutation that a background task of the engine runs. A task that finds its part busy sleeps before its next try: 0.1 s and
 * up to 1 s more at random by default. Deletions in a small table then took 140 ms at the mean and 1.1 s at most; with these values 12 and 19 ms.
 */
const ENGINE_ARGUMENTS = [
  '--background_processing_pool_thread_sleep_seconds_if_nothing_to_do=0.01',
  '--background_processing_pool_thread_sleep_seconds_random_part=0',
  '--background_processing_pool_task_sleep_seconds_when_no_work_random_part=0',
];

function openSession(path: string): Session {
  return new Session(path, { connectionArgs: ENGINE_ARGUMENTS });
}

/** Sessions of the engine in this process over one folder. Each runs one statement at a time; further statements wait in turn. */
export class Sessions {
  readonly #all: readonly RenewedSession[];
  readonly #idle: RenewedSession[];
  readonly #waiting: ((session: RenewedSession) => void)[] = [];

  constructor(path: string, count: number) {
    this.#all = Array.from({ length: count }, () => new RenewedSession(path));
    this.#idle = [...this.#all];
  }

  /** @throws where the engine refuses the statement, in its own words */
  async run(sql: string, params: QueryParams = {}, format = 'TabSeparated'): Promise<ChdbResult> {
    const statement = withParameters(sql, params);
    const session =
      this.#idle.pop() ?? (await new Promise<RenewedSession>((take) => this.#waiting.push(take)));
    try {
      return await session.run(statement, format);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(session);
      else next(session);
    }
  }

  /** A running statement ends first; `drainPending` of chdb waits for it. */
  close(): void {
    for (const session of this.#all) session.close();
  }
}

/**
 * A session that is replaced after each failed statement. chDB 3.4 keeps the rows that a statement wrote before it failed, and puts them before
 * the answer of the session's next statement: they may belong to another project. A new session takes 3 ms.
 */
class RenewedSession {
  readonly #path: string;
  #session: Session | undefined;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
    this.#session = openSession(path);
  }

  async run(statement: string, format: string): Promise<ChdbResult> {
    if (this.#closed) throw new Error('The trace store is closed.');
    this.#session ??= openSession(this.#path);
    const session = this.#session;
    try {
      return await session.queryAsync(statement, { format });
    } catch (error) {
      this.#session = undefined;
      session.close();
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    this.#session?.close();
  }
}

/** The lines of a SELECT as they come, over a session of their own: nothing else runs beside a stream. */
export async function* streamed(path: string, sql: string, params: QueryParams): AsyncGenerator<Buffer> {
  const session = openSession(path);
  try {
    const set = parametersSet(sql, params);
    if (set !== '') await session.queryAsync(set);
    for await (const chunk of session.queryStream(sql, { format: 'TabSeparated' })) {
      if (chunk.numBytes > 0) yield Buffer.from(chunk.raw());
    }
  } finally {
    session.close();
  }
}
