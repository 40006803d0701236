import { formatRate } from '@throughline/contract';
import type { CSSProperties } from 'react';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import tiles from '../../../ui/layout/figure-tiles.module.css';
import classes from '../analytics.module.css';
import { TracesLink } from './traces-link.tsx';

export interface Figure {
  readonly label: string;
  /** Null if there is no data. */
  readonly value: number | null;
  readonly write: (value: number) => string;
  /** The value of the previous period; null if unknown, undefined if no comparison was requested. */
  readonly previous?: number | null | undefined;
  /** True if an increase is bad. */
  readonly badWhenMore?: boolean;
  /** URL parameters that make the trace list show the counted traces. */
  readonly search?: ViewChange;
}

/** The main figures of a tab; a figure can have a change and a link to the counted traces. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  const style: CSSProperties & Record<'--tiles', number> = { '--tiles': Math.min(figures.length, 6) };
  return (
    <dl className={`${tiles.tiles} ${classes.figures}`} style={style}>
      {figures.map(({ label, value, write, search, ...compared }) => {
        const text = value === null ? '–' : write(value);
        return (
          <div key={label} className={tiles.tile}>
            <dt>{label}</dt>
            <dd>
              {search === undefined || value === null ? (
                text
              ) : (
                <TracesLink search={search} label={`${label} ${text}: show traces`}>
                  {text}
                </TracesLink>
              )}
              {compared.previous !== undefined && (
                <Change now={value} before={compared.previous} write={write} bad={compared.badWhenMore} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface ChangeProps {
  readonly now: number | null;
  readonly before: number | null;
  readonly write: (value: number) => string;
  readonly bad: boolean | undefined;
}

/** Shows how a figure changed since the previous period. */
export function Change({ now, before, write, bad = false }: ChangeProps) {
  const change = describeChange(now, before);
  const worse = bad && change.direction === 'up';
  const better = bad && change.direction === 'down';
  return (
    <span
      className={classes.change}
      style={worse || better ? { color: formatToneColour(worse ? 'red' : 'green') } : {}}
    >
      {change.text}
      {before !== null && ` was ${write(before)}`}
    </span>
  );
}

/**
 * Returns the change relative to the earlier value: 0.125 for +12.5 %. Rows are sorted by this number. Returns null if a value is unknown.
 */
export function computeChange(now: number | null, before: number | null): number | null {
  if (now === null || before === null) return null;
  if (now === before) return 0;
  return before === 0 ? Number.POSITIVE_INFINITY : (now - before) / before;
}

/** Describes a change: "+12.5 %". A change from zero has no percentage. */
export function describeChange(
  now: number | null,
  before: number | null,
): { readonly text: string; readonly direction: 'up' | 'down' | 'same' } {
  if (now === null || before === null) {
    return { text: before === null ? 'no earlier data' : '', direction: 'same' };
  }
  if (now === before) return { text: 'unchanged,', direction: 'same' };
  const direction = now > before ? 'up' : 'down';
  if (before === 0) return { text: 'new,', direction };
  const sign = direction === 'up' ? '+' : '−';
  return { text: `${sign}${formatRate((Math.abs(now - before) / before) * 100)},`, direction };
}
