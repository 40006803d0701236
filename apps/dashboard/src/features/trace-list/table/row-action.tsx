import classes from './trace-table.module.css';

interface RowActionProps {
  readonly onClick: () => void;
  readonly children: string;
}

/** A button in a row, with another action than a click on the row. */
export function RowAction({ onClick, children }: RowActionProps) {
  return (
    <button
      type="button"
      className={classes.action}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {children}
    </button>
  );
}
