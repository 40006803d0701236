import type { TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { RowCheckbox } from '../../../ui/forms/row-checkbox.tsx';
import type { TraceColumn } from '../table/columns.ts';
import classes from '../table/trace-table.module.css';
import { isSelected } from './row-selection.ts';
import { useSelection } from './use-row-selection.ts';

/** The checkbox that selects a row: always the first column. */
export const SELECT_COLUMN: TraceColumn = {
  id: 'select',
  name: '',
  width: '16px',
  head: <SelectListed />,
  cell: (row) => <SelectCell row={row} />,
};

function SelectCell({ row: { _id, request } }: { readonly row: TraceRow }) {
  const { selection, toggle } = useSelection();
  return (
    // A click anywhere in the cell counts; the keyboard uses the checkbox.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Space on the box is a click here
    <td
      className={classes.select}
      onClick={(event) => {
        event.stopPropagation();
        toggle(_id, event.shiftKey);
      }}
      // Prevents a Shift-click, which selects a range of rows, from also selecting the text of the rows.
      onMouseDown={(event) => {
        if (event.shiftKey) event.preventDefault();
      }}
    >
      <RowCheckbox
        aria-label={`Select ${escapeControlCharacters(`${request.method} ${request.path}`)}`}
        checked={isSelected(selection, _id)}
        readOnly
      />
    </td>
  );
}

function SelectListed() {
  const { listed, toggleListed } = useSelection();
  return (
    <RowCheckbox
      aria-label="Select all listed traces"
      checked={listed === 'all'}
      indeterminate={listed === 'some'}
      onChange={toggleListed}
    />
  );
}
