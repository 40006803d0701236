import type { CSSProperties } from 'react';
import classes from './figure-tiles.module.css';

interface Figure {
  readonly label: string;
  readonly text: string;
}

/** A few short figures in one row. */
export function FigureTiles({ figures }: { readonly figures: readonly Figure[] }) {
  const style: CSSProperties & Record<'--tiles' | '--least-tile', number | string> = {
    '--tiles': figures.length,
    '--least-tile': '96px',
  };
  return (
    <dl className={classes.tiles} style={style}>
      {figures.map(({ label, text }) => (
        <div key={label} className={classes.tile}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
