export function* rowsOf(csv: string): Generator<Record<string, string>> {
  const [header = '', ...lines] = csv.trim().split('\n');
  const columns = header.split(',');
  for (const line of lines) {
    const cells = line.split(',');
    yield Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  }
}
