import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { toneColour } from '../../shell/tones.ts';
import classes from './bars-chart.module.css';
import type { SeriesLook } from './plot-colours.ts';
import { PlotFrame } from './plot-frame.tsx';
import type { PlotTable } from './plot-table.ts';
import { labelWithin } from './svg-label.ts';

const ROW_PX = 36;
const BAR_PX = 8;
const VALUE_LETTER_PX = 7.3;

interface BarsRow {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** The value in words, at the row's end: "1,204 · 45.2 %". */
  readonly text: string;
  readonly look: SeriesLook;
}

interface BarsChartProps {
  readonly label: string;
  readonly rows: readonly BarsRow[];
  /** How long the longest bar could be; the greatest value without. */
  readonly most?: number;
  readonly table: PlotTable;
  readonly empty?: string;
  /** Puts a row into a link to what it counts. */
  readonly link?: (row: BarsRow, drawn: ReactNode) => ReactNode;
  readonly actions?: ReactNode;
}

/** Lying bars, each below its name, with its figure at the end. */
export function BarsChart({ label, rows, most, table, empty, link, actions }: BarsChartProps) {
  const { ref, width } = useElementSize();
  const longest = most ?? rows.reduce((all, { value }) => Math.max(all, value), 0);
  return (
    <PlotFrame
      label={label}
      table={rows.length === 0 ? { ...table, rows: [] } : table}
      {...(empty === undefined ? {} : { empty })}
      actions={actions}
    >
      <div ref={ref}>
        <svg data-plot width={width} height={rows.length * ROW_PX} className={classes.bars}>
          <title>{label}</title>
          {rows.map((row, place) => {
            const drawn = <Bar row={row} top={place * ROW_PX} width={width} longest={longest} />;
            return <g key={row.key}>{link === undefined ? drawn : link(row, drawn)}</g>;
          })}
        </svg>
      </div>
    </PlotFrame>
  );
}

interface BarProps {
  readonly row: BarsRow;
  readonly top: number;
  readonly width: number;
  readonly longest: number;
}

function Bar({ row, top, width, longest }: BarProps) {
  const share = longest <= 0 ? 0 : Math.min(1, row.value / longest);
  const room = width - row.text.length * VALUE_LETTER_PX - 16;
  return (
    <>
      <title>{`${row.label}: ${row.text}`}</title>
      <rect y={top} width={width} height={ROW_PX} className={classes.ground} />
      <text y={top + 16} className={classes.label}>
        {labelWithin(row.label, room)}
      </text>
      <text x={width} y={top + 16} textAnchor="end" className={classes.value}>
        {row.text}
      </text>
      <rect y={top + 23} width={width} height={BAR_PX} rx={2} className={classes.rail} />
      <rect
        y={top + 23}
        width={share === 0 ? 0 : Math.max(2, width * share)}
        height={BAR_PX}
        rx={2}
        fill={toneColour(row.look.tone, 'fill')}
      />
    </>
  );
}
