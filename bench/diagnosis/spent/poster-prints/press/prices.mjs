const SHEET_CENTS = { SRA4: 38, SRA3: 64, 'SRA3+': 79 };
const PAPER_FACTOR = { 'silk-170': 1, 'matt-200': 1.2, 'uncoated-120': 0.85 };
const SETUP_CENTS = 1200;

function sheetsFor(copies, perSheet) {
  return Math.ceil(copies / perSheet);
}

export function priceOf(job, { sheet, perSheet }) {
  const sheets = sheetsFor(job.copies, perSheet);
  const print = Math.round(sheets * SHEET_CENTS[sheet.name] * PAPER_FACTOR[job.paper]);
  return { sheets, net: (print + SETUP_CENTS) / 100 };
}
