import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { ALERT_DAYS, type AlertRule, describeAlert, describeScope } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useRef, useState } from 'react';
import { useTableView } from '../../../shell/url-state/use-table-view.ts';
import { LoadState } from '../../../ui/feedback/load-state.tsx';
import type { TableSort } from '../../../ui/tables/table-column.ts';
import { NoMatch, TableSearch } from '../../../ui/tables/table-search.tsx';
import classes from '../alerts.module.css';
import { type IncidentListing, useIncidents } from '../queries.ts';
import { IncidentRows } from './incident-rows.tsx';

type IncidentFilter = Pick<IncidentListing, 'ruleId' | 'state'>;

/** The sort orders that the user can choose for the list of incidents. The first is the default. */
const ORDERS = [
  { sort: 'time', order: 'descending', label: 'Newest first' },
  { sort: 'time', order: 'ascending', label: 'Oldest first' },
  { sort: 'duration', order: 'descending', label: 'Longest first' },
  { sort: 'duration', order: 'ascending', label: 'Shortest first' },
] as const;

interface IncidentsProps {
  readonly projectId: string;
  readonly rules: readonly AlertRule[];
}

/** The incidents of a project's alerts, filtered by rule and state. The URL contains the order of the incidents and the search text. */
export function Incidents({ projectId, rules }: IncidentsProps) {
  const { search, sort, setSearch, setSort } = useTableView('incidents');
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setFilter] = useState<IncidentFilter>({});
  // The chosen rule can be deleted while its incidents are listed. The list then shows the incidents of all rules.
  const ruleId = rules.find(({ id }) => id === chosen.ruleId)?.id;
  const filter = {
    ...(ruleId !== undefined && { ruleId }),
    ...(chosen.state !== undefined && { state: chosen.state }),
  };
  const { label, ...arrangement } =
    ORDERS.find((one) => one.sort === sort?.column && one.order === sort.order) ?? ORDERS[0];
  const incidents = useIncidents(projectId, { ...filter, ...arrangement, ...(search !== '' && { search }) });
  const isFiltered = Object.keys(filter).length > 0;
  const isEmpty = incidents.data?.length === 0 && !incidents.hasNextPage;
  return (
    <>
      <Title order={3} size="sm">
        Incidents of the last {ALERT_DAYS} days
      </Title>
      {(!isEmpty || isFiltered || search !== '') && (
        <search className={classes.filters} aria-label="Incidents">
          <TableSearch
            label="Search incidents"
            placeholder="Alert, error or insight"
            value={search}
            onChange={setSearch}
            field={field}
            className={classes.search}
          />
          <IncidentFilters rules={rules} filter={filter} onChange={setFilter} />
          <OrderSelect label={label} onChange={setSort} />
        </search>
      )}
      <LoadState query={incidents} what="incidents" failure="The incidents could not be loaded." rows={2} />
      {isEmpty && search !== '' && (
        <NoMatch what="incidents" search={search} onClear={() => setSearch('')} field={field} />
      )}
      {isEmpty && search === '' && (
        <Text size="sm" c="dimmed">
          {isFiltered ? 'No incident matches the filter.' : 'No alert has fired.'}
        </Text>
      )}
      {incidents.data !== undefined && incidents.data.length > 0 && (
        <IncidentRows projectId={projectId} incidents={incidents.data} stale={incidents.isPlaceholderData} />
      )}
      {incidents.hasNextPage && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            loading={incidents.isFetchingNextPage}
            onClick={() => void incidents.fetchNextPage()}
          >
            Show more incidents
          </Button>
        </Group>
      )}
    </>
  );
}

interface OrderSelectProps {
  readonly label: string;
  readonly onChange: (sort: TableSort | undefined) => void;
}

function OrderSelect({ label, onChange }: OrderSelectProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Sort incidents"
      data={ORDERS.map((one) => one.label)}
      value={label}
      onChange={({ currentTarget: { value } }) => {
        const chosen = ORDERS.find((one) => one.label === value);
        // The URL does not contain the default order.
        onChange(
          chosen === undefined || chosen === ORDERS[0]
            ? undefined
            : { column: chosen.sort, order: chosen.order },
        );
      }}
    />
  );
}

interface IncidentFiltersProps {
  readonly rules: readonly AlertRule[];
  readonly filter: IncidentFilter;
  readonly onChange: (filter: IncidentFilter) => void;
}

function IncidentFilters({ rules, filter, onChange }: IncidentFiltersProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Show incidents of alert"
        className={classes.filter}
        data={[{ value: '', label: 'All alerts' }, ...rules.map(toOption)]}
        value={filter.ruleId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, ruleId: value === '' ? undefined : value })
        }
      />
      <NativeSelect
        size="xs"
        aria-label="Show incidents in state"
        data={[
          { value: '', label: 'All states' },
          { value: 'ongoing', label: 'Ongoing' },
          { value: 'ended', label: 'Ended' },
        ]}
        value={filter.state ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, state: value === 'ongoing' || value === 'ended' ? value : undefined })
        }
      />
    </>
  );
}

function toOption(rule: AlertRule) {
  const scope = escapeControlCharacters(describeScope(rule));
  return { value: rule.id, label: scope === '' ? describeAlert(rule) : `${describeAlert(rule)} · ${scope}` };
}
