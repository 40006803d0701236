import { NativeSelect } from '@mantine/core';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { formatAbsolute } from '../../../ui/time/relative-time.ts';
import classes from '../trace-list.module.css';
import { useListParams } from './use-list-params.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const RANGES = [
  { label: 'Last 15 minutes', ms: 15 * MINUTE_MS },
  { label: 'Last hour', ms: 60 * MINUTE_MS },
  { label: 'Last 24 hours', ms: DAY_MS },
  { label: 'Last 7 days', ms: 7 * DAY_MS },
] as const;
const ALL = 'all';
const CHOSEN = 'chosen';

/** Selects the start of the listed time range. Each preset ends now, so new requests still arrive. */
export function RangeSelect() {
  const { from, to } = useListParams();
  const change = useChangeView();
  const choose = (value: string) => {
    const range = RANGES.find(({ label }) => label === value);
    const from = range && new Date(Date.now() - range.ms).toISOString();
    change({ from, to: undefined }, { replace: true });
  };
  const chosen = from === undefined ? undefined : formatRange(from, to);
  return (
    <NativeSelect
      aria-label="Time"
      leftSection={<span className={classes.filterName}>Time</span>}
      leftSectionWidth={48}
      // The names of the presets fit 176 px; a chosen time range is longer.
      w={chosen === undefined ? 176 : `calc(${chosen.length}ch + 84px)`}
      maw="100%"
      data={[
        { value: ALL, label: 'All time' },
        ...RANGES.map(({ label }) => ({ value: label, label })),
        ...(chosen === undefined ? [] : [{ value: CHOSEN, label: chosen }]),
      ]}
      value={chosen === undefined ? ALL : CHOSEN}
      onChange={({ currentTarget: { value } }) => choose(value)}
    />
  );
}

/** Formats a chosen time range without fractions of a second. */
function formatRange(from: string, to: string | undefined): string {
  const now = Date.now();
  const write = (instant: string) => formatAbsolute(Date.parse(instant), now).replace(/\.\d+$/, '');
  return to === undefined ? `Since ${write(from)}` : `${write(from)} – ${write(to)}`;
}
