import type { TraceStore } from '../../platform/trace-store/index.ts';

/** Names of the ClickHouse errors that a damaged file causes. Each error message of ClickHouse contains the error's name. */
const DAMAGE =
  /\b(CHECKSUM_DOESNT_MATCH|CORRUPTED_DATA|CANNOT_DECOMPRESS|UNKNOWN_CODEC|CANNOT_READ_ALL_DATA|CANNOT_READ_COMPRESSED_CHUNK|ATTEMPT_TO_READ_AFTER_EOF|INCORRECT_DATA|BAD_SIZE_OF_FILE_IN_DATA_PART|FILE_DOESNT_EXIST|NO_FILE_IN_DATA_PART)\b/;

/** Returns the store with reads that call `onDamage` if stored files turn out to be damaged. The reads still reject. */
export function watchReads(store: TraceStore, onDamage: () => void): TraceStore {
  const noteDamage = (error: unknown) => {
    if (DAMAGE.test(String(error))) onDamage();
  };
  const watch = <Result>(reading: Promise<Result>): Promise<Result> =>
    reading.catch((error: unknown) => {
      noteDamage(error);
      throw error;
    });
  async function* watchStream(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* chunks;
    } catch (error) {
      noteDamage(error);
      throw error;
    }
  }
  return {
    ...store,
    rows: (row, sql, params) => watch(store.rows(row, sql, params)),
    rowsForWriter: (row, sql, params) => watch(store.rowsForWriter(row, sql, params)),
    rowsBeside: (row, sql, params) => watch(store.rowsBeside(row, sql, params)),
    lines: (sql, params) => watch(store.lines(sql, params)),
    stream: (sql, params) => watchStream(store.stream(sql, params)),
  };
}
