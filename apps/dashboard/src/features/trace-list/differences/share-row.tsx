import type { ReactNode } from 'react';
import classes from './differences.module.css';

/** The names of the two compared groups. */
export interface ShareSides {
  readonly inside: string;
  readonly outside: string;
}

interface ShareRowProps {
  readonly name: ReactNode;
  readonly value: ReactNode;
  readonly title: string;
  /** Shares from 0 to 1. */
  readonly shares: { readonly inside: number; readonly outside: number };
  readonly sides: ShareSides;
  readonly note?: string;
  readonly actions?: ReactNode;
  /** True if the name can be long, so that it needs as much space as a value. */
  readonly hasLongName?: boolean;
}

/** A value with its share in each of two groups. */
export function ShareRow(props: ShareRowProps) {
  const { name, value, title, shares, sides, note, actions, hasLongName = false } = props;
  const layout = hasLongName ? classes.named : actions === undefined ? classes.plain : '';
  return (
    <li className={`${classes.row} ${layout}`}>
      <span className={classes.field}>{name}</span>
      <span className={`mono ${classes.value}`} title={title}>
        {value}
      </span>
      <span className={classes.bars} aria-hidden>
        <span className={classes.inside} style={{ width: `${shares.inside * 100}%` }} />
        <span className={classes.outside} style={{ width: `${shares.outside * 100}%` }} />
      </span>
      <span className={classes.shares}>
        <b>{formatShare(shares.inside)}</b> of {sides.inside}, {formatShare(shares.outside)} of{' '}
        {sides.outside}
        {note !== undefined && <span className={classes.dim}> · {note}</span>}
      </span>
      {actions !== undefined && <span className={classes.actions}>{actions}</span>}
    </li>
  );
}

function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 1) return '< 1 %';
  if (percent < 100 && percent > 99) return '> 99 %';
  return `${Math.round(percent)} %`;
}
