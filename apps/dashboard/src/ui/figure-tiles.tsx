import type { CSSProperties } from 'react';
import classes from './figure-tiles.module.css';

interface Figure {
  readonly label: string;
  readonly text: string;
}

/** A few figures in one row, or two of them in one on a narrow screen. */
export function FigureTiles({ figures }: { readonly figures: readonly Figure[] }) {
  const style: CSSProperties & Record<'--tiles', number> = { '--tiles': figures.length };
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
