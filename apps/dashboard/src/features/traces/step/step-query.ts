import type { CapturedValue, Step } from '@throughline/contract';

/** The start of an SQL statement, after comments and brackets. Commands of other databases are shown like any other value. */
const SQL_BEGINS =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*(?:select|insert|update|delete|with|merge|replace|create|alter|drop|truncate|begin|start|commit|rollback|savepoint|release|set|show|explain|analyze|values|call|lock|vacuum|pragma|copy)\b/i;

/** Returns the SQL of a step: the input `statement` of a step that the SDK recorded, or the input `query` of an OpenTelemetry step. */
export function findSql({ stepType, inputs }: Step): string | undefined {
  if (stepType !== 'database') return undefined;
  const text = getMember(inputs, 'statement') ?? getMember(inputs, 'query');
  return typeof text === 'string' && SQL_BEGINS.test(text) ? text : undefined;
}

/** Returns a property of a captured object; undefined for other values, or if the object has no such property. */
export function getMember(value: CapturedValue | undefined, name: string): CapturedValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}
