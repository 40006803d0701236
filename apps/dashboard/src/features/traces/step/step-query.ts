import type { CapturedValue, Step } from '@throughline/contract';

/** How a statement of SQL begins, after comments and brackets. Other databases' commands are values like any other. */
const SQL_BEGINS =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*(?:select|insert|update|delete|with|merge|replace|create|alter|drop|truncate|begin|start|commit|rollback|savepoint|release|set|show|explain|analyze|values|call|lock|vacuum|pragma|copy)\b/i;

/** The SQL of a step: the SDK names it `statement`, steps of OpenTelemetry `query`. */
export function findSql({ stepType, inputs }: Step): string | undefined {
  if (stepType !== 'database') return undefined;
  const text = getMember(inputs, 'statement') ?? getMember(inputs, 'query');
  return typeof text === 'string' && SQL_BEGINS.test(text) ? text : undefined;
}

/** A member of a captured object; undefined where it is none, or has no such member. */
export function getMember(value: CapturedValue | undefined, name: string): CapturedValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}
