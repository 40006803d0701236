import { ActionIcon } from '@mantine/core';
import { type Icon, IconFilterMinus, IconFilterPlus } from '@tabler/icons-react';
import { findQueryField, formatCount, type TraceDifference, writeTerm } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { useChangeView, useReadAddress } from '../../../shell/url-state/search-params.ts';
import { addQuery } from '../query-bar/query-params.ts';
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

/** Buttons that filter the list to requests with a value, or to requests without it. */
export function FilterActions({
  difference: { field, value, term },
}: Pick<DifferenceRowProps, 'difference'>) {
  const change = useChangeView();
  const readAddress = useReadAddress();
  const filterBy = (text: string) =>
    change(addQuery(readAddress().params, text).change ?? {}, { replace: true });
  const text = escapeControlCharacters(value);
  const isExcludable = findQueryField(field)?.negation === 'values';
  return (
    <>
      <FilterButton name="Filter for" value={text} icon={IconFilterPlus} onClick={() => filterBy(term)} />
      {isExcludable && (
        <FilterButton
          name="Filter out"
          value={text}
          icon={IconFilterMinus}
          onClick={() => filterBy(writeTerm(field, value, true).text)}
        />
      )}
    </>
  );
}

interface FilterButtonProps {
  readonly name: string;
  readonly value: string;
  readonly icon: Icon;
  readonly onClick: () => void;
}

function FilterButton({ name, value, icon: FilterIcon, onClick }: FilterButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      aria-label={`${name} ${value}`}
      title={name}
      onClick={onClick}
    >
      <FilterIcon size={16} aria-hidden />
    </ActionIcon>
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
