import { CloseButton, Group } from '@mantine/core';
import { memo } from 'react';
import { type Narrowing, useChangeView } from '../../shell/search-params.ts';
import { countryName } from './country-name.ts';
import classes from './trace-list.module.css';
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
] as const satisfies readonly (readonly [keyof Narrowing, string])[];

function nameless(which: string): string {
  return which === 'unnamed' ? 'without a name' : 'with a name';
}

/** What stands for a value that says little as it is. */
const WORDS: { readonly [key in keyof Narrowing]?: (value: string) => string } = {
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

interface NarrowedByProps {
  /** Methods that the bar itself shows. */
  readonly methods: readonly string[];
}

/** What narrows the list besides what its bar shows: from a link, such as a figure's. Each can be taken away. */
export const NarrowedBy = memo(({ methods }: NarrowedByProps) => {
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
        <span key={key} className={classes.narrowed}>
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
