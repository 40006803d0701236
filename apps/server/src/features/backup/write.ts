import type { ControlStore } from '../../platform/control-store/index.ts';
import { readControlMigrations } from '../../platform/control-store/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { computeSecretMark } from '../../platform/start/secrets.ts';
import { type TraceStore, traceMigrations } from '../../platform/trace-store/index.ts';
import { listTablesInOrder, readControlRows } from './control-store.ts';
import { encodeFrame, encodeLine } from './frames.ts';
import { findTraceTables, readTraceRows } from './trace-store.ts';

/** Thrown if the stores were never used, so that there is nothing to back up. */
class NothingStored extends OperatorError {
  override readonly name = 'NothingStored';
}

export interface BackupSource {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  readonly secretKey: Buffer;
  /** True if the secret is in the data folder, so that the backup must contain it. */
  readonly secretInFolder: boolean;
  readonly version: string;
  readonly now: Date;
}

/**
 * Writes a backup of both stores, piece by piece, while servers use the stores. Accounts are read in one snapshot, and traces after that.
 * If a trace is stored meanwhile, the backup contains all rows of the trace, or lacks the trace's own row; its other rows are then
 * invisible.
 * @throws NothingStored
 */
export async function* writeBackup(source: BackupSource): AsyncGenerator<Buffer> {
  const { control, traces, secretKey } = source;
  const { applied } = await readControlMigrations(control.db);
  if (applied === undefined) {
    throw new NothingStored(
      'There is nothing to back up: the stores have no tables yet. Are DATA_DIR and DATABASE_URL correct?',
    );
  }
  yield encodeLine({
    throughline: 'backup',
    format: 1,
    version: source.version,
    madeAt: source.now.toISOString(),
    controlMigration: applied,
    traceMigration: (await traceMigrations(traces)).applied,
    secretMark: computeSecretMark(secretKey),
    ...(source.secretInFolder ? { secret: secretKey.toString('base64') } : {}),
  });
  const counts = { control: new Map<string, number>(), traces: new Map<string, number>() };
  for (const table of await listTablesInOrder(control.db)) counts.control.set(table, 0);
  for (const frame of await readControlRows(control.db)) {
    counts.control.set(frame.table, (counts.control.get(frame.table) ?? 0) + frame.rows);
    yield encodeFrame(frame);
  }
  for (const table of await findTraceTables(traces)) {
    let rows = 0;
    for await (const frame of readTraceRows(traces, table)) {
      rows += frame.rows;
      yield encodeFrame(frame);
    }
    counts.traces.set(table.name, rows);
  }
  yield encodeLine({
    end: { control: Object.fromEntries(counts.control), traces: Object.fromEntries(counts.traces) },
  });
}
