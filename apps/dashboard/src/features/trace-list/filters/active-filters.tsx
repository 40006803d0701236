import { CloseButton, Group } from '@mantine/core';
import { memo } from 'react';
import { type TraceFilterParams, useChangeView } from '../../../shell/url-state/search-params.ts';
import classes from '../trace-list.module.css';
import { countryName } from './country-name.ts';
import { useListParams } from './use-list-params.ts';

const NAMES = [
  ['method', 'Method'],
  ['code', 'Status code'],
  ['statusClass', 'Status class'],
  ['route', 'Route'],
  ['service', 'Service'],
  ['services', 'Services'],
  ['environment', 'Environment'],
  ['release', 'Release'],
  ['instance', 'Instance'],
  ['caller', 'Called by'],
  ['callers', 'Caller has a name'],
  ['users', 'Users'],
  ['user', 'User'],
  ['session', 'Session'],
  ['country', 'Country'],
  ['endpoint', 'Endpoint'],
  ['feature', 'Feature'],
  ['errorGroup', 'Error'],
  ['stepName', 'Step'],
  ['stepType', 'Step type'],
  ['dependency', 'Calls'],
  ['stepStatus', 'Step ended'],
  ['minCalls', 'Min. calls'],
  ['requests', 'Selected traces'],
  ['minSteps', 'Min. steps'],
  ['maxSteps', 'Max. steps'],
] as const satisfies readonly (readonly [keyof TraceFilterParams, string])[];

function nameless(which: string): string {
  return which === 'unnamed' ? 'without a name' : 'with a name';
}

/** Readable texts for values such as a country code. */
const WORDS: { readonly [key in keyof TraceFilterParams]?: (value: string) => string } = {
  country: countryName,
  services: nameless,
  callers: nameless,
  stepStatus: (status) => (status === 'error' ? 'failed' : 'well'),
  users: (which) => (which === 'known' ? 'known' : 'not known'),
  requests: (ids) => {
    const count = ids.split(',').length;
    return count === 1 ? '1 trace' : `${count} traces`;
  },
};

interface ActiveFiltersProps {
  /** Methods that the filter bar shows; a filter for one of them is left out here. */
  readonly methods: readonly string[];
}

/** Removable chips of the active filters that the filter bar does not show, such as those of a link from a chart. */
export const ActiveFilters = memo(({ methods }: ActiveFiltersProps) => {
  const params = useListParams();
  const change = useChangeView();
  const set = NAMES.flatMap(([key, name]) => {
    const value = params[key];
    return value === undefined || (key === 'method' && methods.includes(value))
      ? []
      : [{ key, name, value: WORDS[key]?.(value) ?? value }];
  });
  if (set.length === 0) return null;
  return (
    <Group gap="xs" mb="xs" role="group" aria-label="Active filters">
      {set.map(({ key, name, value }) => (
        <span key={key} className={classes.activeFilter}>
          <span className={classes.filterName}>{name}</span>
          <span className="mono">{value}</span>
          <CloseButton
            size={24}
            aria-label={`Remove filter: ${name.toLowerCase()} ${value}`}
            onClick={() => change({ [key]: undefined }, { replace: true })}
          />
        </span>
      ))}
    </Group>
  );
});
