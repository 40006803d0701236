/**
 * Serializes `value` as JSON without calling a `toJSON` that the host added to a built-in prototype. If the host added one, uses a slower
 * function. Values must be plain data, as captured values are. Fields with undefined are left out.
 */
export function writeJson(value: unknown): string {
  return Object.hasOwn(Object.prototype, 'toJSON') || Object.hasOwn(Array.prototype, 'toJSON')
    ? writeWithoutToJson(value)
    : JSON.stringify(value);
}

function writeWithoutToJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(writeWithoutToJson).join(',')}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${writeWithoutToJson(field)}`).join(',')}}`;
}
