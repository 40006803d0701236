import type { ThrownBy } from '../errors/errors.ts';

/** Formats the type of an error and the function that threw the error: "TypeError in taxFor, src/tax.ts". */
export function formatThrownBy({ type, function: name, file }: ThrownBy): string {
  return `${type === '' ? 'Thrown' : type} in ${name}${file === null ? '' : `, ${file}`}`;
}
