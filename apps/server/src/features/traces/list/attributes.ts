import { type AttributeTerm, parseAttributeTerm } from '@throughline/contract';
import { refuseField } from '../../../platform/http/errors.ts';

export type AttributeFilter = AttributeTerm;

/**
 * Parses `name:value`, or only `name`, or `"name":value` if the name contains a colon.
 * @throws AppError `validation_failed`
 */
export function readAttributes(given: string | readonly string[] | undefined): readonly AttributeFilter[] {
  const all = typeof given === 'string' ? [given] : (given ?? []);
  return all.filter((text) => text !== '').map(readAttribute);
}

function readAttribute(text: string): AttributeFilter {
  const attribute = parseAttributeTerm(text);
  if (attribute !== undefined) return attribute;
  throw refuseField(
    'attribute',
    'attribute must be name:value or a name, such as http.route:/orders/:id; a name with a colon stands in quotes',
  );
}
