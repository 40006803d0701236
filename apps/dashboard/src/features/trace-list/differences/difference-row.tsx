import { formatCount, type TraceDifference } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { ShareRow, type ShareSides } from './share-row.tsx';

interface DifferenceRowProps {
  readonly difference: TraceDifference;
  readonly sides: ShareSides;
  /** The value as a link; by default the formatted value. */
  readonly value?: ReactNode;
  readonly actions?: ReactNode;
}

/** A value with its share of the requests in each of the two compared groups. */
export function DifferenceRow({ difference, sides, value, actions }: DifferenceRowProps) {
  const { field, count, inside, outside } = difference;
  const text = escapeControlCharacters(difference.value);
  return (
    <ShareRow
      name={FIELD_NAMES[field]}
      value={value ?? text}
      title={text}
      shares={difference}
      sides={sides}
      note={`${formatCount(count)} ${formatLift(inside, outside)}`}
      actions={actions}
    />
  );
}

/** Formats the factor by which a value is more frequent in the listed requests (`inside`) than in other requests (`outside`). */
function formatLift(inside: number, outside: number): string {
  if (outside === 0) return 'requests, none elsewhere';
  const lift = inside / outside;
  return `requests, ${lift < 10 ? lift.toFixed(1) : formatCount(Math.round(lift))}× as often`;
}

const FIELD_NAMES: Readonly<Record<TraceDifference['field'], string>> = {
  status: 'Status',
  endpoint: 'Endpoint',
  method: 'Method',
  errorGroup: 'Error',
  service: 'Service',
  environment: 'Environment',
  release: 'Release',
  instance: 'Instance',
  country: 'Country',
  user: 'User',
  attribute: 'Attribute',
};
