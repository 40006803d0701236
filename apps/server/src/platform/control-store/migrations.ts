import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import type { ControlDb } from './control-store.ts';
import { selectRawRows } from './raw-rows.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

const Journal = z.looseObject({
  entries: z.array(z.looseObject({ tag: z.string(), when: z.number() })),
});
type Journal = z.output<typeof Journal>;

/** The tables are newer than this program. */
export class ControlStoreTooNew extends OperatorError {
  override readonly name = 'ControlStoreTooNew';
}

export interface ControlMigrations {
  /** Name of the newest applied migration; undefined if none was applied. */
  readonly applied: string | undefined;
  /** Names of the pending migrations, in order. */
  readonly pending: readonly string[];
}

/**
 * Reads the state of the migrations without applying any.
 * @throws ControlStoreTooNew
 */
export async function readControlMigrations(db: ControlDb): Promise<ControlMigrations> {
  const { entries } = await readJournal();
  const appliedAt = await findNewestApplied(db);
  const newest = entries.at(-1);
  if (appliedAt > (newest?.when ?? 0)) {
    throw new ControlStoreTooNew(
      `The accounts were stored by a newer version of Throughline. This version supports tables up to migration ${newest?.tag}. Start the newer version.`,
    );
  }
  return {
    applied: entries.findLast(({ when }) => when <= appliedAt)?.tag,
    pending: entries.filter(({ when }) => when > appliedAt).map(({ tag }) => tag),
  };
}

/** Calls `use` with a folder that contains the migrations: all of them, or only those up to a given name. */
export async function withMigrations(
  upTo: string | undefined,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  if (upTo === undefined) return use(FOLDER);
  const journal = await readJournal();
  const last = journal.entries.findIndex(({ tag }) => tag === upTo);
  if (last < 0)
    throw new ControlStoreTooNew(`This version of Throughline does not know the migration ${upTo}.`);
  const entries = journal.entries.slice(0, last + 1);
  const folder = await mkdtemp(join(tmpdir(), 'throughline-migrations-'));
  try {
    await mkdir(join(folder, 'meta'));
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) await copyFile(join(FOLDER, `${tag}.sql`), join(folder, `${tag}.sql`));
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readJournal(): Promise<Journal> {
  return Journal.parse(JSON.parse(await readFile(join(FOLDER, 'meta', '_journal.json'), 'utf8')));
}

/** Returns the creation time of the newest applied migration in epoch ms; 0 if none was applied. */
async function findNewestApplied(db: ControlDb): Promise<number> {
  const Found = z.object({ found: z.coerce.number() });
  const [table] = await selectRawRows(
    db,
    Found,
    sql`select count(*) as found from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'`,
  );
  if (table?.found === 0) return 0;
  const [newest] = await selectRawRows(
    db,
    Found,
    sql`select coalesce(max(created_at), 0) as found from drizzle.__drizzle_migrations`,
  );
  return newest?.found ?? 0;
}
