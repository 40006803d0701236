import { Button, CloseButton } from '@mantine/core';
import { formatCount, formatMegabytes } from '@throughline/contract';
import { buildExport } from './exported.ts';
import type { ListFilters } from './queries.ts';
import type { Ticked } from './ticked.ts';
import classes from './trace-list.module.css';
import { useExport } from './use-export.ts';

interface SelectionBarProps {
  readonly filters: ListFilters;
  readonly ticked: Ticked;
  /** How many are chosen, and how many match. */
  readonly count: number;
  readonly total: number;
  /** Those that are listed, in order. */
  readonly ids: readonly string[];
  readonly onAll: () => void;
  readonly onClear: () => void;
}

/** What can be done with the rows that are chosen. It lies over the page's foot, so that nothing moves when it comes. */
export function SelectionBar({ filters, ticked, count, total, ids, onAll, onClear }: SelectionBarProps) {
  const { bytes, start, stop } = useExport(buildExport(filters, ticked, ids));
  const exporting = bytes !== undefined;
  return (
    <div className={classes.selection} data-shown={count > 0 || exporting}>
      <p role="status">
        {exporting
          ? `Exporting ${formatMegabytes(bytes)}`
          : count > 0 &&
            (ticked === 'all' ? `All ${formatCount(count)} selected` : `${formatCount(count)} selected`)}
      </p>
      {exporting ? (
        <Button size="compact-sm" variant="default" onClick={stop}>
          Stop
        </Button>
      ) : (
        count > 0 && (
          <>
            {count < total && (
              <Button size="compact-sm" variant="subtle" onClick={onAll}>
                Select all {formatCount(total)}
              </Button>
            )}
            <Button size="compact-sm" onClick={start}>
              Export
            </Button>
            <CloseButton size="sm" aria-label="Clear selection" onClick={onClear} />
          </>
        )
      )}
    </div>
  );
}
