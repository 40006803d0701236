/**
 * Hides the bound values and the first rows in the step of an SQL query. The bound values and the rows are copies of values that functions
 * also have. A project's rule with a path hides the value of the function, but not the copy. Returns the same object if the step is not a
 * query.
 */
export function hideQueryCopies<Step extends object>(step: Step): Step {
  const inputs = readObject(step, 'inputs');
  const outputs = readObject(step, 'outputs');
  const { values } = inputs;
  const bound = typeof inputs.statement === 'string' && Array.isArray(values) ? values : undefined;
  const hasRows = typeof outputs.rows === 'number' && outputs.firstRows !== undefined;
  if (bound === undefined && !hasRows) return step;
  return {
    ...step,
    ...(bound !== undefined && { inputs: { ...inputs, values: bound.map(hideValue) } }),
    ...(hasRows && { outputs: { rows: outputs.rows } }),
  };
}

function hideValue(value: unknown): unknown {
  if (value === null) return null;
  if (typeof value !== 'object') return { $type: 'redacted', of: typeof value };
  return '$type' in value ? value : { $type: 'redacted', of: Array.isArray(value) ? 'array' : 'object' };
}

function readObject(step: object, name: string): { readonly [member: string]: unknown } {
  const value: unknown = Object.hasOwn(step, name) ? Reflect.get(step, name) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
