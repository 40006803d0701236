import type { TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '../../visuals/values/escape-control-characters.ts';
import type { TraceColumn } from './columns.ts';
import { isTicked } from './ticked.ts';
import classes from './trace-table.module.css';
import { useTickBoxes } from './use-ticked.ts';

/** The box that chooses a row: always the first column. */
export const TICK_COLUMN: TraceColumn = {
  id: 'tick',
  name: '',
  width: '16px',
  head: <TickListed />,
  cell: (row) => <TickCell row={row} />,
};

function TickCell({ row: { _id, request } }: { readonly row: TraceRow }) {
  const { ticked, turn } = useTickBoxes();
  return (
    // The whole cell takes the pointer; the keyboard has the box.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Space on the box is a click here
    <td
      className={classes.tick}
      onClick={(event) => {
        event.stopPropagation();
        turn(_id, event.shiftKey);
      }}
      // Shift would mark the texts of the rows between.
      onMouseDown={(event) => {
        if (event.shiftKey) event.preventDefault();
      }}
    >
      <input
        type="checkbox"
        aria-label={`Select ${escapeControlCharacters(`${request.method} ${request.path}`)}`}
        checked={isTicked(ticked, _id)}
        readOnly
      />
    </td>
  );
}

function TickListed() {
  const { listed, turnListed } = useTickBoxes();
  return (
    <input
      type="checkbox"
      aria-label="Select all listed traces"
      checked={listed === 'all'}
      ref={(box) => {
        if (box !== null) box.indeterminate = listed === 'some';
      }}
      onChange={turnListed}
    />
  );
}
