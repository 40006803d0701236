/** Lists the types of a query's values, which are shown in place of the values. */
export function listTypes(values: unknown): string[] | undefined {
  if (!Array.isArray(values)) return undefined;
  return values.map((value: unknown) => {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'array';
    return value instanceof Date ? 'Date' : Buffer.isBuffer(value) ? 'Buffer' : typeof value;
  });
}
