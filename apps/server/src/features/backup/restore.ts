import type { ControlStore } from '../../platform/control-store/index.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { countControlRows, insertControlRows } from './control-store.ts';
import { type BackupCounts, type BackupHead, type BackupPart, BadBackup, type RowsFrame } from './frames.ts';
import { countTraceRows, findTraceTables, type TraceTable } from './trace-store.ts';

/** Thrown if the stores that receive the backup are not empty, or if the restored data differs from the backup. */
class RestoreRefused extends OperatorError {
  override readonly name = 'RestoreRefused';
}

export interface RestoreTarget {
  readonly control: ControlStore;
  readonly traces: TraceStore;
}

/**
 * Stores a backup's rows in stores whose tables exist and are empty, then checks the row count of each table.
 * Accounts are restored last and in one transaction, so that nobody can sign in to a partial restore.
 * @throws BadBackup, RestoreRefused
 */
export async function restoreRows(
  { control, traces }: RestoreTarget,
  parts: AsyncIterable<Exclude<BackupPart, BackupHead>>,
): Promise<BackupCounts> {
  const tables = await findTraceTables(traces);
  await refuseUsed({ control, traces }, tables);
  const accounts: RowsFrame[] = [];
  for await (const part of parts) {
    if ('end' in part) {
      await control.db.transaction(async (tx) => {
        for (const frame of accounts) await insertControlRows(tx, frame);
      });
      await checkCounts({ control, traces }, tables, part.end);
      return part.end;
    }
    if (!('text' in part))
      throw new BadBackup(
        'The file contains the start of a second backup. Choose a file that "throughline backup" wrote.',
      );
    if (part.store === 'control') accounts.push(part);
    else await traces.insert(part.table, part.columns, part.text);
  }
  throw new BadBackup('The backup is incomplete: its end is missing.');
}

async function refuseUsed({ control, traces }: RestoreTarget, tables: readonly TraceTable[]): Promise<void> {
  for (const [table, rows] of Object.entries(await countControlRows(control.db))) {
    if (rows > 0)
      throw buildNotEmptyError(`The database that DATABASE_URL names has ${rows} rows in ${table}.`);
  }
  for (const { name } of tables) {
    const rows = await countTraceRows(traces, name);
    if (rows > 0)
      throw buildNotEmptyError(`The database that CLICKHOUSE_URL names has ${rows} rows in ${name}.`);
  }
}

function buildNotEmptyError(what: string): RestoreRefused {
  return new RestoreRefused(`${what} A backup is restored into empty stores only.`);
}

async function checkCounts(
  { control, traces }: RestoreTarget,
  tables: readonly TraceTable[],
  expected: BackupCounts,
): Promise<void> {
  const wrong: string[] = [];
  const found = await countControlRows(control.db);
  for (const [table, rows] of Object.entries(expected.control)) {
    if (found[table] !== rows) wrong.push(`${table} has ${found[table] ?? 0} rows instead of ${rows}`);
  }
  for (const [table, rows] of Object.entries(expected.traces)) {
    const there = await countTraceRows(traces, table);
    const mayExpire = tables.some(({ name, expires }) => expires && name === table);
    if (there !== rows && !(mayExpire && there < rows)) {
      wrong.push(`${table} has ${there} rows instead of ${rows}`);
    }
  }
  if (wrong.length > 0)
    throw new RestoreRefused(`The restored stores are not what was backed up: ${wrong.join('; ')}.`);
}
