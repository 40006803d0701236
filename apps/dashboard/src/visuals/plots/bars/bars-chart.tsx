import { type ReactNode, useMemo } from 'react';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import { useWidth } from '../../../ui/hooks/use-width.ts';
import type { SeriesLook } from '../frame/plot-colours.ts';
import { PlotFrame } from '../frame/plot-frame.tsx';
import type { PlotTable } from '../frame/plot-table.ts';
import { labelWithin } from '../frame/svg-label.ts';
import { layOutBars, measureLabelRoom } from './bar-lines.ts';
import classes from './bars-chart.module.css';

const ROW_PX = 36;
const LINE_PX = 16;
const BAR_PX = 8;

interface BarsRow {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** The formatted value at the end of the row: "1,204 · 45.2 %". */
  readonly text: string;
  readonly look: SeriesLook;
}

interface BarsChartProps {
  readonly label: string;
  readonly rows: readonly BarsRow[];
  /** The value of a full-width bar; by default the largest value. */
  readonly most?: number;
  readonly table: PlotTable;
  readonly empty?: string;
  /** Wraps a row in a link to the requests that the row counts. */
  readonly link?: (row: BarsRow, drawn: ReactNode) => ReactNode;
  readonly actions?: ReactNode;
}

/**
 * A horizontal bar chart. Each name is above its bar, with the value at the end of the row; if a name and its value do not fit on one
 * line, the values of all rows are below the names.
 */
export function BarsChart({ label, rows, most, table, empty, link, actions }: BarsChartProps) {
  const { ref, width } = useWidth();
  const { isStacked, texts } = useMemo(() => layOutBars(rows, width), [rows, width]);
  const heights = texts.map((own) => ROW_PX + (isStacked ? own.length * LINE_PX : 0));
  const findTop = (place: number) => heights.slice(0, place).reduce((sum, height) => sum + height, 0);
  const longest = most ?? rows.reduce((all, { value }) => Math.max(all, value), 0);
  return (
    <PlotFrame
      label={label}
      table={rows.length === 0 ? { ...table, rows: [] } : table}
      {...(empty === undefined ? {} : { empty })}
      actions={actions}
    >
      <div ref={ref}>
        <svg data-plot width={width} height={findTop(rows.length)} className={classes.bars}>
          <title>{label}</title>
          {rows.map((row, place) => {
            const drawn = (
              <Bar
                row={row}
                texts={texts[place] ?? []}
                isStacked={isStacked}
                top={findTop(place)}
                height={heights[place] ?? ROW_PX}
                width={width}
                longest={longest}
              />
            );
            return <g key={row.key}>{link === undefined ? drawn : link(row, drawn)}</g>;
          })}
        </svg>
      </div>
    </PlotFrame>
  );
}

interface BarProps {
  readonly row: BarsRow;
  /** The row's value as lines of text. */
  readonly texts: readonly string[];
  readonly isStacked: boolean;
  readonly top: number;
  readonly height: number;
  readonly width: number;
  readonly longest: number;
}

function Bar({ row, texts, isStacked, top, height, width, longest }: BarProps) {
  const share = longest <= 0 ? 0 : Math.min(1, row.value / longest);
  const barTop = top + height - ROW_PX + 23;
  return (
    <>
      <title>{`${row.label}: ${row.text}`}</title>
      <rect y={top} width={width} height={height} className={classes.ground} />
      <text y={top + 16} className={classes.label}>
        {labelWithin(row.label, measureLabelRoom(isStacked, row.text, width))}
      </text>
      {texts.map((text, line) => (
        <text
          key={text}
          x={width}
          y={top + 16 + (isStacked ? line + 1 : 0) * LINE_PX}
          textAnchor="end"
          className={classes.value}
        >
          {text}
        </text>
      ))}
      <rect y={barTop} width={width} height={BAR_PX} rx={2} className={classes.rail} />
      <rect
        y={barTop}
        width={share === 0 ? 0 : Math.max(2, width * share)}
        height={BAR_PX}
        rx={2}
        fill={formatToneColour(row.look.tone, 'fill')}
      />
    </>
  );
}
