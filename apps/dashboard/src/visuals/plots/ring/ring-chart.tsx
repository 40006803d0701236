import type { ReactNode } from 'react';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import type { SeriesLook } from '../frame/plot-colours.ts';
import { PlotFrame } from '../frame/plot-frame.tsx';
import type { PlotTable } from '../frame/plot-table.ts';
import { buildArcs } from './ring-arcs.ts';
import classes from './ring-chart.module.css';

const SIZE = 176;
const RADIUS = 68;
const THICKNESS = 20;

interface RingPart {
  readonly name: string;
  readonly value: number;
  /** The formatted value. */
  readonly text: string;
  readonly look: SeriesLook;
}

interface RingChartProps {
  readonly label: string;
  readonly parts: readonly RingPart[];
  /** The text in the middle of the ring: a number and its label. */
  readonly middle: { readonly text: string; readonly label: string };
  readonly table: PlotTable;
  readonly empty?: string;
  /** Wraps a part's name in a link to the requests that the part counts. */
  readonly link?: (part: RingPart, drawn: ReactNode) => ReactNode;
}

/** A ring chart of the parts of a whole, with gaps between the parts and a legend. */
export function RingChart({ label, parts, middle, table, empty, link }: RingChartProps) {
  const nothing = parts.every(({ value }) => value === 0);
  return (
    <PlotFrame
      label={label}
      namedInPicture={parts.map(({ name, text, look }) => ({ name: `${name} ${text}`, look }))}
      table={nothing ? { ...table, rows: [] } : table}
      {...(empty === undefined ? {} : { empty })}
    >
      <div className={classes.ring}>
        <svg
          data-plot
          width={SIZE}
          height={SIZE}
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          role="img"
          aria-label={`${middle.text} ${middle.label}`}
        >
          <g transform={`translate(${SIZE / 2} ${SIZE / 2})`}>
            {buildArcs(
              parts.map(({ value }) => value),
              RADIUS,
            ).map((path, place) => (
              <path
                key={parts[place]?.name}
                d={path}
                fill="none"
                stroke={formatToneColour(parts[place]?.look.tone ?? 'grey', 'fill')}
                strokeWidth={place === 0 ? THICKNESS : THICKNESS + 6}
              />
            ))}
            <text textAnchor="middle" y={4} className={classes.figure}>
              {middle.text}
            </text>
            <text textAnchor="middle" y={24} className={classes.label}>
              {middle.label}
            </text>
          </g>
        </svg>
        <ul className={classes.parts}>
          {parts.map((part) => (
            <li key={part.name}>
              <span
                className={classes.dot}
                style={{ background: formatToneColour(part.look.tone, 'fill') }}
              />
              {link === undefined ? part.name : link(part, part.name)}
              <span className={classes.text}>{part.text}</span>
            </li>
          ))}
        </ul>
      </div>
    </PlotFrame>
  );
}
