import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { WITHOUT_RANGE } from '../../shell/time-range/range-params.ts';
import { useChangeView, type ViewParams } from '../../shell/url-state/search-params.ts';
import classes from './analytics.module.css';
import { useFilters } from './data/queries.ts';
import type { Scope } from './data/scope.ts';

/** Earlier dates are not applied: while a user types 2026, the field briefly contains the valid year 0002. */
const FIRST_DAY = '1970-01-01';

/** Fields for the start and end date, the filters, and the comparison with the previous period. The URL stores their values. */
export function AnalyticsBar({ scope }: { readonly scope: Scope }) {
  const change = useChangeView();
  const { period, fault } = scope;
  return (
    <search className={classes.bar}>
      <DayInput
        label="Start date"
        value={period.start}
        onChange={(start) => change({ ...WITHOUT_RANGE, start, end: period.end }, { replace: true })}
      />
      <DayInput
        label="End date"
        value={period.end}
        fault={fault}
        onChange={(end) => change({ ...WITHOUT_RANGE, start: period.start, end }, { replace: true })}
      />
      <FilterSelect name="environment" scope={scope} />
      <FilterSelect name="service" scope={scope} />
      <div className={classes.lastFilter}>
        <FilterSelect name="release" scope={scope} />
        <Switch
          label="Compare with previous period"
          className={classes.compare ?? ''}
          checked={scope.compare}
          onChange={({ currentTarget: { checked } }) =>
            change({ compare: checked ? 'previous' : undefined }, { replace: true })
          }
        />
      </div>
    </search>
  );
}

interface DayInputProps {
  readonly label: string;
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onChange: (day: string) => void;
}

/** A date field. An incomplete date is not applied, and is discarded when the field loses the focus. */
function DayInput({ label, value, fault, onChange }: DayInputProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      type="date"
      label={label}
      w={140}
      value={typed}
      error={fault}
      onChange={({ currentTarget: { value: day } }) => {
        setTyped(day);
        if (day >= FIRST_DAY) onChange(day);
      }}
      onBlur={() => setTyped(value)}
    />
  );
}

const ALL = '';
const FILTERS = {
  environment: { list: 'environments', label: 'Environment', all: 'All environments', width: 162 },
  service: { list: 'services', label: 'Service', all: 'All services', width: 136 },
  release: { list: 'releases', label: 'Release', all: 'All releases', width: 136 },
} as const;

interface FilterSelectProps {
  readonly name: keyof typeof FILTERS;
  readonly scope: Scope;
}

function FilterSelect({ name, scope }: FilterSelectProps) {
  const { list, label, all, width } = FILTERS[name];
  const change = useChangeView();
  const filters = useFilters(scope, scope.fault === undefined);
  const chosen = scope[name];
  const values = filters.data?.[list].filter((value) => value !== '') ?? [];
  // A value from the URL is listed even if no request in the range has this value, so that the user sees why the page is empty.
  const listed = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
  return (
    <NativeSelect
      label={label}
      w={width}
      maw="100%"
      value={chosen ?? ALL}
      data={[{ value: ALL, label: all }, ...listed.map((value) => ({ value, label: value }))]}
      onChange={({ currentTarget: { value } }) => {
        const changed: Pick<ViewParams, typeof name> = { [name]: value === ALL ? undefined : value };
        change(changed, { replace: true });
      }}
    />
  );
}
