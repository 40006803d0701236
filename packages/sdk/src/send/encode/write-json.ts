/**
 * `value` as JSON, without the host's help: a `toJSON` that it put on a built-in prototype is neither run nor heeded. Only then is the slow way taken.
 * Values are plain data, as captured; fields that are undefined are left out.
 */
export function writeJson(value: unknown): string {
  return Object.hasOwn(Object.prototype, 'toJSON') || Object.hasOwn(Array.prototype, 'toJSON')
    ? written(value)
    : JSON.stringify(value);
}

function written(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${written(field)}`).join(',')}}`;
}
