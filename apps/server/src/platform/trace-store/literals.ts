import type { QueryParams } from './open.ts';

/** The engine reads a statement of 256 KiB at most. */
const LONGEST = 240_000;

const PARAMETER = /\{(\w+):((?:Array\()?(?:String|UUID|Date|U?Int(?:8|16|32|64))\)?)\}/g;

/**
 * A statement with its parameters as literals, none of which can be anything else: texts as hexadecimal digits, all others checked. Undefined where it
 * would be too long, or a parameter is of another type. In process, ClickHouse runs one query with parameters at a time, over whatever connection: a long one would hold up all readers.
 * @throws Error where a parameter is missing, or is not of its type
 */
export function withLiterals(sql: string, params: QueryParams): string | undefined {
  const text = sql.replace(PARAMETER, (_whole, name: string, type: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`the parameter ${name} is missing`);
    const item = /^Array\((\w+)\)$/.exec(type)?.[1];
    if (item === undefined) return scalar(name, type, value);
    if (!Array.isArray(value)) throw new Error(`the parameter ${name} is not a list`);
    const items = value.map((one) => plain(name, item, one)).join(',');
    return item === 'String'
      ? `arrayMap(text -> unhex(text), CAST([${items}], '${type}'))`
      : `CAST([${items}], '${type}')`;
  });
  const isOfOtherType = Object.keys(params).some((name) => text.includes(`{${name}:`));
  return isOfOtherType || text.length > LONGEST ? undefined : text;
}

function scalar(name: string, type: string, value: unknown): string {
  const literal = plain(name, type, value);
  return type === 'String' ? `unhex(${literal})` : `CAST(${literal}, '${type}')`;
}

const SHAPES: Readonly<Record<string, RegExp>> = {
  UUID: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  Date: /^\d{4}-\d{2}-\d{2}$/,
};
const WHOLE = /^-?\d+$/;

/** A number, or a text in quotes that holds nothing to escape. */
function plain(name: string, type: string, value: unknown): string {
  if (type === 'String' && typeof value === 'string') return `'${Buffer.from(value).toString('hex')}'`;
  const text = String(value);
  const shape = SHAPES[type];
  if (!(shape ?? WHOLE).test(text)) throw new Error(`the parameter ${name} is not of the type ${type}`);
  return shape === undefined ? text : `'${text}'`;
}
