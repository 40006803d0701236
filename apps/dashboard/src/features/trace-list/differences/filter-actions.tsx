import { ActionIcon } from '@mantine/core';
import { type Icon, IconFilterMinus, IconFilterPlus } from '@tabler/icons-react';
import { findQueryField, type TraceDifference } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useChangeView, useReadAddress, type ViewChange } from '../../../shell/url-state/search-params.ts';
import { ActionIconLink } from '../../../ui/layout/links.tsx';
import { addQuery } from '../query-bar/query-params.ts';

interface Filter {
  readonly name: string;
  readonly Icon: Icon;
  /** The filter in the filter language. */
  readonly text: string;
}

/** Lists the filters that a value offers: requests with the value, and requests without it. */
function listFilters({ field, value, term }: TraceDifference): readonly Filter[] {
  const shown = escapeControlCharacters(value);
  const only = { name: `Filter for ${shown}`, Icon: IconFilterPlus, text: term };
  if (findQueryField(field)?.negation !== 'values') return [only];
  return [only, { name: `Filter out ${shown}`, Icon: IconFilterMinus, text: `-${term}` }];
}

const LOOK = { variant: 'subtle', color: 'gray', size: 28 } as const;

interface FilterActionsProps {
  readonly difference: TraceDifference;
}

/** Buttons that filter the list to requests with a value, or to requests without it. */
export function FilterActions({ difference }: FilterActionsProps) {
  const change = useChangeView();
  const readAddress = useReadAddress();
  return listFilters(difference).map(({ name, Icon, text }) => (
    <ActionIcon
      key={text}
      {...LOOK}
      aria-label={name}
      title={name}
      onClick={() => change(addQuery(readAddress().params, text).change ?? {}, { replace: true })}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  ));
}

interface FilterLinksProps extends FilterActionsProps {
  /** The URL parameters of the list of the compared requests. */
  readonly search: ViewChange;
}

/** Links to the list of the compared requests, filtered to requests with a value, or to requests without it. */
export function FilterLinks({ difference, search }: FilterLinksProps) {
  return listFilters(difference).map(({ name, Icon, text }) => (
    <ActionIconLink
      key={text}
      {...LOOK}
      aria-label={name}
      title={name}
      to="/dashboard"
      search={{ ...search, ...addQuery(search, text).change, differences: 'shown' }}
    >
      <Icon size={16} aria-hidden />
    </ActionIconLink>
  ));
}
