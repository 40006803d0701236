import { ActionIcon } from '@mantine/core';
import { type Icon, IconFilterMinus, IconFilterPlus } from '@tabler/icons-react';
import { findQueryField, type TraceDifference } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useChangeView, useReadAddress, type ViewChange } from '../../../shell/url-state/search-params.ts';
import { ActionIconLink } from '../../../ui/layout/links.tsx';
import { addQuery } from '../query-bar/query-params.ts';

/** A value, and the term that filters for the value. */
export type FilteredValue = Pick<TraceDifference, 'value' | 'term'>;

interface Filter {
  readonly kind: 'for' | 'out';
  readonly name: string;
  readonly Icon: Icon;
  /** The filter in the filter language. */
  readonly text: string;
}

/** Lists the filters that a value offers: requests with the value, and requests without it. */
function listFilters({ value, term }: FilteredValue): readonly Filter[] {
  const shown = escapeControlCharacters(value);
  const only = { kind: 'for' as const, name: `Filter for ${shown}`, Icon: IconFilterPlus, text: term };
  if (findQueryField(term.slice(0, term.indexOf(':')))?.negation !== 'values') return [only];
  return [only, { kind: 'out', name: `Filter out ${shown}`, Icon: IconFilterMinus, text: `-${term}` }];
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

interface FilterLinksProps {
  readonly of: FilteredValue;
  /** The URL parameters of the list to which a filter is added. */
  readonly search: ViewChange;
  /** The only kind of link to show. Set if the value itself links to the requests with the value. */
  readonly only?: Filter['kind'];
  readonly size?: number;
  /** False if the Tab key skips the links. */
  readonly isInTabOrder?: boolean;
}

/** Links to a list of requests, filtered to requests with a value, or to requests without it. */
export function FilterLinks({ of, search, only, size = LOOK.size, isInTabOrder = true }: FilterLinksProps) {
  return listFilters(of)
    .filter(({ kind }) => only === undefined || kind === only)
    .map(({ name, Icon, text }) => (
      <ActionIconLink
        key={text}
        {...LOOK}
        size={size}
        style={{ verticalAlign: 'middle' }}
        {...(!isInTabOrder && { tabIndex: -1 })}
        aria-label={name}
        title={name}
        to="/dashboard"
        search={{ ...search, ...addQuery(search, text).change }}
      >
        <Icon size={Math.round(size / 1.75)} aria-hidden />
      </ActionIconLink>
    ));
}
