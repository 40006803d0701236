import { problem, readJson, sendJson } from '../http/json.mjs';
import { binFor, gradeOf } from './grading.mjs';
import { readSheet } from './sheet.mjs';
import { growerNamed, listLots, saveLots } from './warehouse.mjs';

function toLot(row, grower, index) {
  return {
    number: `${grower.prefix}${String(grower.lots + index + 1).padStart(4, '0')}`,
    variety: row.variety,
    kilos: row.kilos,
    grade: gradeOf(row.germination),
    bin: binFor(row.kilos),
  };
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

export async function handleImport(request, response, slug) {
  const { sheet, season } = await readJson(request);
  const grower = await growerNamed(slug);
  const rows = readSheet(sheet);
  if (rows.length === 0) throw problem(422, 'the sheet has no rows');
  const lots = rows.map((row, index) => toLot(row, grower, index));
  await saveLots(slug, lots);
  sendJson(response, 200, {
    grower: grower.name,
    season,
    importedAt: new Date().toISOString(),
    lots,
    totalKilos: sum(lots.map(({ kilos }) => kilos)),
  });
}

export async function handleList(_request, response, slug) {
  const grower = await growerNamed(slug);
  sendJson(response, 200, { grower: grower.name, lots: await listLots(slug) });
}
