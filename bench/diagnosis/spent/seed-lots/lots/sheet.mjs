import { problem } from '../http/json.mjs';

const COLUMNS = ['variety', 'weight', 'germination'];

function splitLine(line) {
  return line.split(';').map((cell) => cell.trim());
}

function columnsOf(header) {
  const names = splitLine(header).map((name) => name.toLowerCase());
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0) throw problem(422, `missing columns: ${missing.join(', ')}`);
  return Object.fromEntries(COLUMNS.map((name) => [name, names.indexOf(name)]));
}

export function parseKilos(cell) {
  const kilos = Number.parseInt(cell.replace(/ |kg$/g, ''), 10);
  if (Number.isNaN(kilos) || kilos <= 0) throw problem(422, `${cell} is no weight`);
  return kilos;
}

function parsePercent(cell) {
  return Number(cell.replace('%', '')) / 100;
}

function readRow(line, columns) {
  const cells = splitLine(line);
  return {
    variety: cells[columns.variety],
    kilos: parseKilos(cells[columns.weight]),
    germination: parsePercent(cells[columns.germination]),
  };
}

export function readSheet(text) {
  const [header, ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const columns = columnsOf(header);
  return lines.map((line) => readRow(line, columns));
}
