const COLUMNS = ['name', 'email', 'joined', 'fee_cents'];

function quoted(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function header() {
  return COLUMNS.join(',');
}

export function csvLine(member) {
  return COLUMNS.map((column) => quoted(member[column])).join(',');
}
