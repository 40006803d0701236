import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import type { TraceStore } from './trace-store.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** The tables on disk are newer than this program. */
export class TraceStoreTooNew extends OperatorError {
  override readonly name = 'TraceStoreTooNew';
}

export interface TraceMigrations {
  /** Version of the newest applied migration; 0 if none was applied. */
  readonly applied: number;
  /** File names of the pending migrations, in order. */
  readonly pending: readonly string[];
}

/**
 * Applies the pending migrations, or only those up to version `upTo`: each numbered file of `migrations/` once, in order. ClickHouse has no
 * transactions around DDL, so a migration can be interrupted half-way and is then run again. A statement must therefore have no effect when
 * it runs again.
 * @throws TraceStoreTooNew
 */
export async function migrate(store: TraceStore, upTo = Number.POSITIVE_INFINITY): Promise<void> {
  await store.command(
    `CREATE TABLE IF NOT EXISTS trace_migrations (version UInt32, name String, applied_at DateTime64(3, 'UTC'))
     ENGINE = ReplacingMergeTree ORDER BY version`,
  );
  const done = await findApplied(store);
  const migrations = await readMigrations();
  refuseNewer(done, migrations);
  for (const migration of migrations) {
    if (done.has(migration.version) || migration.version > upTo) continue;
    for (const statement of migration.statements) await store.command(statement);
    await store.command('INSERT INTO trace_migrations SELECT {version:UInt32}, {name:String}, now64(3)', {
      version: migration.version,
      name: migration.name,
    });
  }
}

/**
 * Reads the state of the migrations without applying any.
 * @throws TraceStoreTooNew
 */
export async function traceMigrations(store: TraceStore): Promise<TraceMigrations> {
  const tables = await store.lines(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'trace_migrations'",
  );
  const done = tables.length === 0 ? new Set<number>() : await findApplied(store);
  const migrations = await readMigrations();
  refuseNewer(done, migrations);
  return {
    applied: Math.max(0, ...done),
    pending: migrations.filter(({ version }) => !done.has(version)).map(({ name }) => name),
  };
}

/** Lists missing tables that the applied migrations created. */
export async function findMissingTables(store: TraceStore): Promise<string[]> {
  const done = await findApplied(store);
  const statements = (await readMigrations()).flatMap(({ version, statements }) =>
    done.has(version) ? statements : [],
  );
  const made = statements.flatMap(
    (statement) => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(statement)?.[1] ?? [],
  );
  const there = new Set(
    await store.lines('SELECT name FROM system.tables WHERE database = currentDatabase()'),
  );
  return [...new Set(made)].filter((name) => !there.has(name));
}

async function findApplied(store: TraceStore): Promise<ReadonlySet<number>> {
  const applied = await store.rows(
    z.object({ version: z.number() }),
    'SELECT DISTINCT version FROM trace_migrations ORDER BY version',
  );
  return new Set(applied.map(({ version }) => version));
}

function refuseNewer(done: ReadonlySet<number>, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  const beyond = [...done].find((version) => version > newest);
  if (beyond === undefined) return;
  throw new TraceStoreTooNew(
    `The traces were stored by a newer version of Throughline. The tables have version ${beyond}, and this version supports up to ${newest}. Start the newer version.`,
  );
}

/**
 * Reads the migrations. Statements end with a semicolon at the end of a line; lines that begin with two
 * dashes are comments.
 */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = (await readFile(`${FOLDER}/${file}`, 'utf8')).replace(/^\s*--.*$/gm, '');
      const statements = text
        .split(/;\s*$/m)
        .map((statement) => statement.trim())
        .filter((statement) => statement !== '');
      return { version: Number.parseInt(file, 10), name: file, statements };
    }),
  );
}
