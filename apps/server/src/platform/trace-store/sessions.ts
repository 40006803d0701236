import { type ChdbResult, Session } from 'chdb';
import type { QueryParams } from './open.ts';
import { parametersSet, withParameters } from './parameters.ts';

/** Sessions of the engine in this process, over one folder. Each runs one statement at a time: what is asked waits in turn for one that is free. */
export class Sessions {
  readonly #all: readonly Session[];
  readonly #idle: Session[];
  readonly #waiting: ((session: Session) => void)[] = [];

  constructor(path: string, count: number) {
    this.#all = Array.from({ length: count }, () => new Session(path));
    this.#idle = [...this.#all];
  }

  /** @throws where the engine refuses the statement, in its own words */
  async run(sql: string, params: QueryParams = {}, format = 'TabSeparated'): Promise<ChdbResult> {
    const statement = withParameters(sql, params);
    const session = this.#idle.pop() ?? (await new Promise<Session>((take) => this.#waiting.push(take)));
    try {
      return await session.queryAsync(statement, { format });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(session);
      else next(session);
    }
  }

  /** What runs ends first; `drainPending` of chdb waits for it. */
  close(): void {
    for (const session of this.#all) session.close();
  }
}

/** The lines of a SELECT as they come, over a session of their own: nothing else runs beside a stream. */
export async function* streamed(path: string, sql: string, params: QueryParams): AsyncGenerator<Buffer> {
  const session = new Session(path);
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
