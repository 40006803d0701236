import { ActionIcon, Tooltip } from '@mantine/core';
import { type Icon, IconFileSpreadsheet, IconPhotoDown, IconTable } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { saveFile } from '../../../ui/copying/save-file.ts';
import { notifyFailure } from '../../../ui/feedback/notify-failure.tsx';
import { formatLookColour, type SeriesLook } from './plot-colours.ts';
import classes from './plot-frame.module.css';
import { renderPicture } from './plot-picture.ts';
import { formatCsv, type PlotTable } from './plot-table.ts';
import { PlotTableView } from './plot-table-view.tsx';

interface LegendItem {
  readonly name: string;
  readonly look: SeriesLook;
  /** True if the series is drawn as bars, which have no dashes. */
  readonly isBar?: boolean;
  /** True for a line that is thinner than the other lines. */
  readonly isThin?: boolean;
  /** The formatted value of the series at the pointer. */
  readonly text?: string | undefined;
  readonly hidden?: boolean;
  /** Shows or hides the series; absent if it cannot be hidden. */
  readonly onToggle?: () => void;
}

interface PlotFrameProps {
  /** The title of the chart, such as "Request volume by hour"; also used as the name of its files. */
  readonly label: string;
  /** A description of the pointed or selected value, announced when it changes. */
  readonly words?: string | undefined;
  /** True if a narrow chart keeps space for the description, so that the chart does not move during a drag over it. */
  readonly keepsWordsSpace?: boolean;
  /** The actions next to the description. */
  readonly actions?: ReactNode;
  readonly legend?: readonly LegendItem[];
  /** The legend of the saved picture, if the page shows the colours' names in another form. */
  readonly namedInPicture?: readonly Pick<LegendItem, 'name' | 'look' | 'hidden'>[];
  readonly table: PlotTable;
  /** The message to show if there is no data. */
  readonly empty?: string;
  /** A sentence about the data, below the chart. */
  readonly note?: string | undefined;
  /** The chart: a canvas, or an SVG marked `data-plot`. */
  readonly children: ReactNode;
}

/** The elements that all charts share: title, legend, the data as a table, and the download of the chart and its data as files. */
export function PlotFrame({
  label,
  words,
  keepsWordsSpace = false,
  actions,
  legend = [],
  namedInPicture = legend,
  table,
  empty = 'No data in this range',
  note,
  children,
}: PlotFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const isEmpty = table.rows.length === 0;
  const name = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const saveCsv = () =>
    saveFile(new Blob([formatCsv(table)], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
  const savePng = () => {
    if (place.current === null) return;
    const shown = namedInPicture
      .filter(({ hidden }) => hidden !== true)
      .map(({ name: entry, look }) => ({ name: entry, colour: formatLookColour(look) }));
    renderPicture(place.current, label, shown).then(
      (png) => saveFile(png, `${name}.png`),
      () => notifyFailure('This chart could not be saved as a picture.'),
    );
  };
  return (
    <figure className={classes.frame} aria-label={label}>
      <figcaption className={classes.caption}>
        <span className={classes.title}>{label}</span>
        <span role="status" className={classes.words} data-kept={keepsWordsSpace}>
          {words}
        </span>
        {actions}
        {!isEmpty && (
          <span className={classes.tools}>
            <Tool
              name="Show as table"
              icon={IconTable}
              pressed={asTable}
              onClick={() => setAsTable(!asTable)}
            />
            {!asTable && <Tool name="Save as PNG" icon={IconPhotoDown} onClick={savePng} />}
            <Tool name="Save as CSV" icon={IconFileSpreadsheet} onClick={saveCsv} />
          </span>
        )}
      </figcaption>
      {isEmpty ? (
        <p className={classes.empty}>{empty}</p>
      ) : asTable ? (
        <PlotTableView label={label} table={table} />
      ) : (
        <div ref={place} className={classes.picture}>
          {children}
        </div>
      )}
      {!isEmpty && !asTable && legend.length > 0 && <Legend items={legend} />}
      {!isEmpty && note !== undefined && <p className={classes.note}>{note}</p>}
    </figure>
  );
}

interface ToolProps {
  readonly name: string;
  readonly icon: Icon;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function Tool({ name, icon: ToolIcon, pressed, onClick }: ToolProps) {
  return (
    <Tooltip label={name}>
      <ActionIcon
        size={24}
        variant={pressed === true ? 'light' : 'subtle'}
        color={pressed === true ? 'indigo' : 'gray'}
        aria-label={name}
        aria-pressed={pressed}
        onClick={onClick}
      >
        <ToolIcon size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function Legend({ items }: { readonly items: readonly LegendItem[] }) {
  return (
    <ul className={classes.legend}>
      {items.map(({ name, look, isBar = false, isThin = false, text, hidden = false, onToggle }) => {
        const entry = (
          <>
            <svg width="20" height="8" aria-hidden className={classes.mark}>
              {isBar ? (
                <rect x="5" width="10" height="8" fill={formatLookColour(look)} />
              ) : (
                <line
                  x1="0"
                  x2="20"
                  y1="4"
                  y2="4"
                  stroke={formatLookColour(look)}
                  strokeWidth={isThin ? 1.5 : 3}
                  strokeDasharray={look.dash?.join(' ')}
                />
              )}
            </svg>
            {name}
            {text !== undefined && <span className={classes.figure}>{text}</span>}
          </>
        );
        return (
          <li key={name}>
            {onToggle === undefined ? (
              <span className={classes.entry}>{entry}</span>
            ) : (
              <button
                type="button"
                className={classes.entry}
                aria-pressed={!hidden}
                data-hidden={hidden}
                onClick={onToggle}
              >
                {entry}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
