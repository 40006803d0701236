import type { CapturedValue, Step } from '@throughline/contract';
import type { SqlDialect } from '../../../visuals/sql/runnable/find-placeholders.ts';
import type { Statement } from '../../../visuals/sql/sql-statement.tsx';

/**
 * The start of an SQL statement, after comments and brackets. A statement that does not match, such as a command of Redis, is shown like
 * any other value.
 */
const SQL_BEGINS =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*(?:select|insert|update|delete|with|merge|replace|create|alter|drop|truncate|begin|start|commit|rollback|savepoint|release|set|show|explain|analyze|values|call|lock|vacuum|pragma|copy)\b/i;

/** The SQL dialect of each database, by OpenTelemetry's name of the database. */
const DIALECTS: Readonly<Record<string, SqlDialect>> = {
  postgresql: 'postgresql',
  postgres: 'postgresql',
  cockroachdb: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
};

/**
 * Returns the SQL of a step, with its parameters: the inputs `statement` and `values` of a step that the SDK recorded, or the inputs `query`
 * and `parameters` of an OpenTelemetry step.
 */
export function findSql({ stepType, inputs, metadata }: Step): Statement | undefined {
  if (stepType !== 'database') return undefined;
  const sql = getMember(inputs, 'statement') ?? getMember(inputs, 'query');
  if (typeof sql !== 'string' || !SQL_BEGINS.test(sql)) return undefined;
  const system =
    getText(metadata, 'db.system.name') ?? getText(metadata, 'db.system') ?? getText(inputs, 'system');
  return {
    sql,
    dialect: system === undefined ? undefined : DIALECTS[system.toLowerCase()],
    driver: getText(metadata, 'tracer'),
    parameters: getMember(inputs, 'values') ?? getMember(inputs, 'parameters'),
  };
}

function getText(value: CapturedValue | undefined, name: string): string | undefined {
  const text = getMember(value, name);
  return typeof text === 'string' ? text : undefined;
}

/** Returns a property of a captured object; undefined for other values, or if the object has no such property. */
export function getMember(value: CapturedValue | undefined, name: string): CapturedValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}
