import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { ALERT_DAYS, type AlertRule, describeAlert, describeScope } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useState } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { type IncidentFilter, useIncidents } from '../queries.ts';
import { IncidentRows } from './incident-rows.tsx';

const ALL: IncidentFilter = { ruleId: undefined, state: undefined };

interface IncidentsProps {
  readonly projectId: string;
  readonly rules: readonly AlertRule[];
}

/** The incidents of a project's alerts, filtered by rule and state. */
export function Incidents({ projectId, rules }: IncidentsProps) {
  const [chosen, setFilter] = useState(ALL);
  // The chosen rule can be deleted while its incidents are listed.
  const filter = rules.some(({ id }) => id === chosen.ruleId) ? chosen : { ...chosen, ruleId: undefined };
  const incidents = useIncidents(projectId, filter);
  const isFiltered = filter.ruleId !== undefined || filter.state !== undefined;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="sm">
          Incidents of the last {ALERT_DAYS} days
        </Title>
        <IncidentFilters rules={rules} filter={filter} onChange={setFilter} />
      </Group>
      {incidents.isPending && <RowsSkeleton what="incidents" rows={2} />}
      {incidents.isError && (
        <ErrorNotice
          what="The incidents could not be loaded."
          error={incidents.error}
          onRetry={() => void incidents.refetch()}
          retrying={incidents.isFetching}
        />
      )}
      {incidents.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {isFiltered ? 'No incident matches the filter.' : 'No alert has fired.'}
        </Text>
      )}
      {incidents.data !== undefined && incidents.data.length > 0 && (
        <IncidentRows projectId={projectId} incidents={incidents.data} />
      )}
      {incidents.hasNextPage && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            loading={incidents.isFetchingNextPage}
            onClick={() => void incidents.fetchNextPage()}
          >
            Show earlier incidents
          </Button>
        </Group>
      )}
    </>
  );
}

interface IncidentFiltersProps {
  readonly rules: readonly AlertRule[];
  readonly filter: IncidentFilter;
  readonly onChange: (filter: IncidentFilter) => void;
}

function IncidentFilters({ rules, filter, onChange }: IncidentFiltersProps) {
  return (
    <Group gap="xs" wrap="nowrap" maw="100%">
      <NativeSelect
        size="xs"
        aria-label="Show incidents of alert"
        flex={1}
        miw={0}
        maw={240}
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
    </Group>
  );
}

function toOption(rule: AlertRule) {
  const scope = escapeControlCharacters(describeScope(rule));
  return { value: rule.id, label: scope === '' ? describeAlert(rule) : `${describeAlert(rule)} · ${scope}` };
}
