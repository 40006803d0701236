import { collectorOf } from './collectors.mjs';
import { select } from './database.mjs';
import { conditionOf, summary } from './viability.mjs';

async function present(row) {
  return {
    id: row.id,
    name: `${row.genus} ${row.species}`,
    collected: `${await collectorOf(row.collector_id)}, ${row.year}`,
    condition: conditionOf(row),
  };
}

export async function accession(id) {
  const [row] = await select('accessions', (one) => one.id === id);
  if (!row) throw Object.assign(new Error(`no accession ${id}`), { status: 404 });
  return present(row);
}

export async function accessionsOf(genus) {
  const rows = await select('accessions', (one) => one.genus === genus);
  const list = [];
  for (const row of rows) list.push(await present(row));
  return { genus, total: list.length, summary: summary(list), list };
}
