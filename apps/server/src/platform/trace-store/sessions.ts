import { type ChdbResult, Session } from 'chdb';
import { buildSetParameters, withParameters } from './text/parameters.ts';
import type { QueryParams } from './trace-store.ts';

/**
 * A DELETE waits for a mutation, which the engine runs in a background task. If the ClickHouse part that the task must change is busy, the
 * task sleeps before it retries: by default 0.1 s plus up to 1 s at random. Deletions in a small table then took 140 ms on average and 1.1
 * s at most. With these values, deletions took 12 ms on average and 19 ms at most.
 */
const ENGINE_ARGUMENTS = [
  '--background_processing_pool_thread_sleep_seconds_if_nothing_to_do=0.01',
  '--background_processing_pool_thread_sleep_seconds_random_part=0',
  '--background_processing_pool_task_sleep_seconds_when_no_work_random_part=0',
];

function openSession(path: string): Session {
  return new Session(path, { connectionArgs: ENGINE_ARGUMENTS });
}

/**
 * Sessions of the embedded engine on one folder. Each session runs one statement at a time; further
 * statements wait in turn.
 */
export class Sessions {
  readonly #all: readonly RenewedSession[];
  readonly #idle: RenewedSession[];
  readonly #waiting: ((session: RenewedSession) => void)[] = [];

  constructor(path: string, count: number) {
    this.#all = Array.from({ length: count }, () => new RenewedSession(path));
    this.#idle = [...this.#all];
  }

  /** Runs a statement. @throws the engine's error if it rejects the statement */
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

  /** Closes all sessions. chdb's `drainPending` then waits for statements that are still running. */
  close(): void {
    for (const session of this.#all) session.close();
  }
}

/**
 * A session that is replaced after each failed statement. chDB 3.4 keeps the rows that a statement wrote before it failed, and returns them
 * before the result of the session's next statement, which can belong to another project. A new session takes 3 ms.
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

/** Streams the lines of a SELECT. Uses a separate session, because a session can run nothing else during a stream. */
export async function* streamLines(path: string, sql: string, params: QueryParams): AsyncGenerator<Buffer> {
  const session = openSession(path);
  try {
    const set = buildSetParameters(sql, params);
    if (set !== '') await session.queryAsync(set);
    for await (const chunk of session.queryStream(sql, { format: 'TabSeparated' })) {
      if (chunk.numBytes > 0) yield Buffer.from(chunk.raw());
    }
  } finally {
    session.close();
  }
}
