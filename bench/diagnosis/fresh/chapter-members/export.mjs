import { csvLine, header } from './csv.mjs';

export function pagesFor(total, pageSize) {
  return Math.floor(total / pageSize) + 1;
}

function findLastId(rows) {
  return rows[rows.length - 1].id;
}

function readAll(store, chapter, pageSize) {
  const total = store.count(chapter);
  const pages = pagesFor(total, pageSize);
  const rows = [];
  let cursor = 0;
  for (let page = 1; page <= pages; page += 1) {
    const batch = store.after(chapter, cursor, pageSize);
    cursor = findLastId(batch);
    rows.push(...batch);
  }
  return rows;
}

export function exportChapter(store, chapter, { by, pageSize }) {
  const members = readAll(store, chapter, pageSize);
  const fees = members.reduce((sum, { fee_cents: fee }) => sum + fee, 0);
  const footer = `# ${members.length} members, fees ${(fees / 100).toFixed(2)}, exported by ${by} at ${new Date().toISOString()}`;
  return [header(), ...members.map(csvLine), footer].join('\r\n');
}
