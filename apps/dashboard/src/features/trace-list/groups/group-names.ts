import type { GroupField, TraceGroup } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { formatCountry } from '../filters/country-name.ts';

interface FieldNames {
  /** The name of the field in the drop-down list for grouping, and above the groups. */
  readonly field: string;
  /** The name of the group of requests that have no value. */
  readonly absent: string;
}

/** Names of the fields by which requests can be grouped, in the order of the drop-down list. */
export const GROUP_NAMES: Readonly<Record<GroupField, FieldNames>> = {
  endpoint: { field: 'Endpoint', absent: 'No path' },
  errorGroup: { field: 'Error', absent: 'No message' },
  user: { field: 'User', absent: 'No known user' },
  release: { field: 'Release', absent: 'No release' },
  service: { field: 'Service', absent: 'No service name' },
  status: { field: 'Status', absent: 'No response' },
  country: { field: 'Country', absent: 'No known country' },
  instance: { field: 'Instance', absent: 'No instance' },
};

/** Formats the value that a group's requests share. */
export function formatGroup(
  field: GroupField,
  { method, value }: Pick<TraceGroup, 'method' | 'value'>,
): string {
  if (value === null) return [method ?? [], GROUP_NAMES[field].absent].flat().join(' ');
  if (field === 'country') return `${formatCountry(value)} (${value})`;
  return escapeControlCharacters([method ?? [], value].flat().join(' '));
}
