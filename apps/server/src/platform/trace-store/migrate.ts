import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { TraceStore } from './open.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** The tables on disk are of a newer version than this program. */
export class TraceStoreTooNew extends Error {
  override readonly name = 'TraceStoreTooNew';
}

/**
 * Brings the tables up to date: each numbered file of `migrations/` once, in order. ClickHouse has no transactions around DDL, so a
 * migration may have been cut off half-way: its statements must do nothing where they were done already.
 * @throws TraceStoreTooNew
 */
export async function migrate(store: TraceStore): Promise<void> {
  await store.command(
    `CREATE TABLE IF NOT EXISTS trace_migrations (version UInt32, name String, applied_at DateTime64(3, 'UTC'))
     ENGINE = ReplacingMergeTree ORDER BY version`,
  );
  const applied = await store.rows(
    z.object({ version: z.number() }),
    'SELECT DISTINCT version FROM trace_migrations ORDER BY version',
  );
  const done = new Set(applied.map(({ version }) => version));
  const migrations = await readMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  const beyond = [...done].find((version) => version > newest);
  if (beyond !== undefined) {
    throw new TraceStoreTooNew(
      `The traces were stored by a newer version of Throughline (its tables are at ${beyond}, this program knows ${newest}). Start that version.`,
    );
  }
  for (const migration of migrations) {
    if (done.has(migration.version)) continue;
    for (const statement of migration.statements) await store.command(statement);
    await store.command('INSERT INTO trace_migrations SELECT {version:UInt32}, {name:String}, now64(3)', {
      version: migration.version,
      name: migration.name,
    });
  }
}

/** Statements end with a semicolon at the end of a line; lines that begin with two dashes are comments. */
async function readMigrations(): Promise<Migration[]> {
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
