import { randomUUID } from 'node:crypto';
import { totalsByRate } from './totals.mjs';

const RATES = { reduced: 0.12, standard: 0.25 };

function taxIn(gross, rate) {
  return Math.round(gross - gross / (1 + rate));
}

function toRow([name, gross]) {
  const rate = RATES[name];
  return { name, percent: rate * 100, gross, tax: taxIn(gross, rate) };
}

function rowsOf(totals) {
  return Object.entries(totals)
    .map(toRow)
    .sort((a, b) => a.percent - b.percent);
}

function grandTotal(rows) {
  return rows.reduce((sum, { gross }) => sum + gross, 0);
}

export function taxReport(till, receipt) {
  const totals = totalsByRate(receipt.lines);
  const rows = rowsOf(totals);
  return {
    document: randomUUID(),
    till: till.name,
    taxNumber: till.taxNumber,
    receipt: receipt.number,
    rows,
    total: grandTotal(rows),
    printedAt: new Date().toISOString(),
  };
}
