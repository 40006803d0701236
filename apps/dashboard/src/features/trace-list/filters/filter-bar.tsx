import { CloseButton, Kbd, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { memo, type ReactNode, type RefObject } from 'react';
import { useChangeView, ViewParams } from '../../../shell/url-state/search-params.ts';
import { useTypedText } from '../../../ui/hooks/use-typed-text.ts';
import { GroupBySelect } from '../groups/group-by-select.tsx';
import type { ListFilters } from '../queries.ts';
import { QueryBar } from '../query-bar/query-bar.tsx';
import classes from '../trace-list.module.css';
import { useListParams } from './use-list-params.ts';

/** Milliseconds from the last key press until the list is fetched. */
const TYPING_MS = 250;

const ALL = 'all';
const STATUSES = [
  { value: ALL, label: 'All' },
  { value: 'success', label: 'Success' },
  { value: 'error', label: 'Error' },
];
type Method = NonNullable<ViewParams['method']>;

interface FilterBarProps {
  readonly filters: ListFilters;
  readonly searchBox: RefObject<HTMLInputElement | null>;
  /** A text that says how much of the list is shown, such as "Showing 50 of 1,204 traces". */
  readonly caption: ReactNode;
  /** The methods to choose from. */
  readonly methods: readonly Method[];
  /** The button that opens the list's settings. */
  readonly settings: ReactNode;
  /** Additional filters of this list, next to the search. */
  readonly children?: ReactNode;
}

/** The filters of the list, stored in the URL. */
export function FilterBar({ filters, searchBox, caption, methods, settings, children }: FilterBarProps) {
  return (
    <search className={classes.filters}>
      <QueryBar filters={filters} />
      <SearchBox searchBox={searchBox} />
      {children}
      <Selects methods={methods} />
      <div className={classes.barEnd}>
        <p className={classes.caption} role="status">
          {caption}
        </p>
        {settings}
      </div>
    </search>
  );
}

/** Memoized: rendered again when the URL changes, not for each page of the list. */
const Selects = memo(({ methods }: Pick<FilterBarProps, 'methods'>) => {
  const { status, method } = useListParams();
  const change = useChangeView();
  return (
    <>
      <NativeSelect
        aria-label="Status"
        leftSection={<span className={classes.filterName}>Status</span>}
        leftSectionWidth={60}
        w={140}
        data={STATUSES}
        value={status ?? ALL}
        onChange={({ currentTarget: { value } }) =>
          change(ViewParams.pick({ status: true }).parse({ status: value }), { replace: true })
        }
      />
      <NativeSelect
        aria-label="Method"
        leftSection={<span className={classes.filterName}>Method</span>}
        leftSectionWidth={64}
        w={148}
        data={[{ value: ALL, label: 'All' }, ...withChosen(methods, method)]}
        value={method ?? ALL}
        onChange={({ currentTarget: { value } }) =>
          change(ViewParams.pick({ method: true }).parse({ method: value }), { replace: true })
        }
      />
      <GroupBySelect />
    </>
  );
});

/** Adds the chosen method, since a URL may contain a method that the drop-down list does not offer. */
function withChosen(methods: readonly Method[], chosen: Method | undefined): readonly Method[] {
  return chosen === undefined || methods.includes(chosen) ? methods : [...methods, chosen];
}

const SearchBox = memo(({ searchBox }: Pick<FilterBarProps, 'searchBox'>) => {
  const { q = '' } = useListParams();
  const change = useChangeView();
  const apply = (typed: string) => change({ q: typed === '' ? undefined : typed }, { replace: true });
  // The field also follows changes of the URL without typing, such as by the browser's Back button or by "Clear filters".
  const [text, set] = useTypedText(q, apply, TYPING_MS);
  return (
    <TextInput
      ref={searchBox}
      type="search"
      className={classes.search ?? ''}
      aria-label="Search path or trace ID"
      placeholder="Search path or trace ID"
      maxLength={1000}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs">/</Kbd>
        ) : (
          <CloseButton size={24} aria-label="Clear search" onClick={() => set('')} />
        )
      }
      value={text}
      onChange={(event) => set(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
});
