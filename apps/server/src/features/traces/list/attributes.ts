import { refuseField } from '../../../platform/http/errors.ts';

/** An attribute that a request or one of its steps must have. */
export interface AttributeFilter {
  readonly name: string;
  /** The value as a string, even if a number, true, false or null was sent; undefined matches any value. */
  readonly value: string | undefined;
}

/**
 * Parses `name:value`, or only `name`, or `"name":value` if the name contains a colon.
 * @throws AppError `validation_failed`
 */
export function readAttributes(given: string | readonly string[] | undefined): readonly AttributeFilter[] {
  const all = typeof given === 'string' ? [given] : (given ?? []);
  return all.filter((text) => text !== '').map(readAttribute);
}

const WRITTEN = /^(?:"((?:[^"\\]|\\.)+)"|([^":][^:]*))(?::(.*))?$/s;

function readAttribute(text: string): AttributeFilter {
  const [, quoted, plain, value] = WRITTEN.exec(text) ?? [];
  const name = quoted === undefined ? plain : unquote(quoted);
  if (name !== undefined) return { name, value };
  throw refuseField(
    'attribute',
    'attribute must be name:value or a name, such as http.route:/orders/:id; a name with a colon stands in quotes',
  );
}

function unquote(text: string): string | undefined {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}
