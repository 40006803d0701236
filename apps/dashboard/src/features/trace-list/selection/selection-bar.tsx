import { Button, CloseButton } from '@mantine/core';
import {
  formatCount,
  formatMegabytes,
  isErrorTrace,
  MAX_TRACE_IDS,
  type TraceRow,
} from '@throughline/contract';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { buildExport } from '../export/exported.ts';
import { useExport } from '../export/use-export.ts';
import type { ListFilters } from '../queries.ts';
import classes from '../trace-list.module.css';
import type { RowSelection } from './row-selection.ts';

interface SelectionBarProps {
  readonly filters: ListFilters;
  readonly selection: RowSelection;
  /** The number of selected traces. */
  readonly count: number;
  /** The number of traces that match the filters. */
  readonly total: number;
  /** The listed traces, in the order of the list. */
  readonly rows: readonly TraceRow[];
  /** The ids of the listed traces. */
  readonly ids: readonly string[];
  readonly onAll: () => void;
  readonly onClear: () => void;
}

/** Bar with actions for the selected rows. The bar overlays the foot of the page, so that nothing moves when it appears. */
export function SelectionBar({
  filters,
  selection,
  count,
  total,
  rows,
  ids,
  onAll,
  onClear,
}: SelectionBarProps) {
  const { bytes, start, stop } = useExport(buildExport(filters, selection, ids));
  const exporting = bytes !== undefined;
  return (
    <div className={classes.selection} data-shown={count > 0 || exporting}>
      <p role="status">
        {exporting
          ? `Exporting ${formatMegabytes(bytes)}`
          : count > 0 &&
            (selection === 'all' ? `All ${formatCount(count)} selected` : `${formatCount(count)} selected`)}
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
            <CompareLink selection={selection} rows={rows} />
            <DifferencesOfRows selection={selection} onClear={onClear} />
            <Button size="compact-sm" onClick={start}>
              Export
            </Button>
            <CloseButton size={24} aria-label="Clear selection" onClick={onClear} />
          </>
        )
      )}
    </div>
  );
}

/** Link that opens one of two selected traces, compared with the other. If only one of the two failed, the failed trace is opened. */
function CompareLink({ selection, rows }: Pick<SelectionBarProps, 'selection' | 'rows'>) {
  if (selection === 'all' || selection.size !== 2) return null;
  const [one, two] = rows.filter(({ _id }) => selection.has(_id));
  if (one === undefined || two === undefined) return null;
  const [looked, other] = isFailed(two) && !isFailed(one) ? [two, one] : [one, two];
  return (
    <ButtonLink
      size="compact-sm"
      variant="default"
      to="/traces/$id"
      params={{ id: looked._id }}
      search={{ compare: other._id }}
    >
      Compare
    </ButtonLink>
  );
}

/** Filters the list to the selected traces, and shows how the selected traces differ from the other traces. */
function DifferencesOfRows({ selection, onClear }: Pick<SelectionBarProps, 'selection' | 'onClear'>) {
  const change = useChangeView();
  if (selection !== 'all' && selection.size > MAX_TRACE_IDS) return null;
  const show = () => {
    change({
      differences: 'shown',
      ...(selection !== 'all' && { requests: [...selection].join(',') }),
    });
    onClear();
  };
  return (
    <Button size="compact-sm" variant="default" onClick={show}>
      What is different?
    </Button>
  );
}

function isFailed({ response, error }: TraceRow): boolean {
  return isErrorTrace(response.statusCode, error.hasError);
}
