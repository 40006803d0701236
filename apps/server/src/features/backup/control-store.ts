import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ControlDb, selectRawRows } from '../../platform/control-store/index.ts';
import type { RowsFrame } from './frames.ts';

/** Maximum number of rows that one statement reads or stores. */
const ROWS_AT_ONCE = 2000;

/**
 * Reads all rows of all tables in one snapshot, a table before the tables that refer to it. Keeps all rows in memory, because there are few
 * accounts and projects compared with traces.
 */
export async function readControlRows(db: ControlDb): Promise<RowsFrame[]> {
  return db.transaction(
    async (tx) => {
      const frames: RowsFrame[] = [];
      for (const table of await listTablesInOrder(tx)) frames.push(...(await readTable(tx, table)));
      return frames;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Returns the names of the tables, each after the tables to which it refers. */
export async function listTablesInOrder(db: ControlDb): Promise<string[]> {
  const tables = await selectRawRows(
    db,
    z.object({ name: z.string() }),
    sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  );
  const references = await selectRawRows(
    db,
    z.object({ from: z.string(), to: z.string() }),
    sql`select c.relname as from, f.relname as to from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid where k.contype = 'f'`,
  );
  const ordered: string[] = [];
  let left = tables.map(({ name }) => name);
  while (left.length > 0) {
    const free = left.filter((name) =>
      references.every(({ from, to }) => from !== name || to === name || ordered.includes(to)),
    );
    if (free.length === 0) throw new Error(`the tables ${left.join(', ')} refer to each other in a circle`);
    ordered.push(...free);
    left = left.filter((name) => !free.includes(name));
  }
  return ordered;
}

async function readTable(db: ControlDb, table: string): Promise<RowsFrame[]> {
  const columns = (
    await selectRawRows(
      db,
      z.object({ name: z.string() }),
      sql`select column_name as name from information_schema.columns
        where table_schema = 'public' and table_name = ${table} order by ordinal_position`,
    )
  ).map(({ name }) => name);
  const frames: RowsFrame[] = [];
  let place = '(0,0)';
  for (;;) {
    const found = await selectRawRows(
      db,
      z.object({ place: z.string(), json: z.string() }),
      sql`select t.ctid::text as place, row_to_json(t)::text as json from ${sql.identifier(table)} t
        where t.ctid > ${place}::tid order by t.ctid limit ${ROWS_AT_ONCE}`,
    );
    const last = found.at(-1);
    if (last === undefined) return frames;
    frames.push({
      store: 'control',
      table,
      columns,
      rows: found.length,
      text: Buffer.from(found.map(({ json }) => `${json}\n`).join('')),
    });
    place = last.place;
  }
}

/** Stores the rows of a frame. */
export async function insertControlRows(db: ControlDb, { table, columns, text }: RowsFrame): Promise<void> {
  const lines = text.toString().split('\n').slice(0, -1);
  const names = sql.join(
    columns.map((name) => sql.identifier(name)),
    sql`, `,
  );
  await db.execute(
    sql`insert into ${sql.identifier(table)} (${names})
      select ${names} from json_populate_recordset(null::${sql.identifier(table)}, ${`[${lines.join(',')}]`}::json)`,
  );
}

export async function countControlRows(db: ControlDb): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await listTablesInOrder(db)) {
    const [row] = await selectRawRows(
      db,
      z.object({ rows: z.coerce.number() }),
      sql`select count(*) as rows from ${sql.identifier(table)}`,
    );
    counts[table] = row?.rows ?? 0;
  }
  return counts;
}
