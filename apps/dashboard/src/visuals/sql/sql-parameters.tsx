import { type CapturedValue, formatCounted } from '@throughline/contract';
import { escapeControlCharacters, summarise } from '@throughline/contract/captured';
import classes from './sql-statement.module.css';

export interface ShownParameter {
  /** The placeholder, such as `$1`. */
  readonly name: string;
  /** Undefined if the value was not captured. */
  readonly value: CapturedValue | undefined;
}

/** Further parameters are only counted; the step's inputs show all values. */
const MAX_SHOWN = 20;

/** Lists the values of a statement's parameters: `$1 = "tea"`. */
export function SqlParameters({ parameters }: { readonly parameters: readonly ShownParameter[] }) {
  if (parameters.length === 0) return null;
  const more = parameters.length - MAX_SHOWN;
  return (
    <ul className={classes.parameters} aria-label="SQL parameters">
      {parameters.slice(0, MAX_SHOWN).map(({ name, value }) => (
        <li key={name}>
          <span className={classes.name}>{name}</span> = <Value value={value} />
        </li>
      ))}
      {more > 0 && <li className={classes.unknown}>{formatCounted(more, 'more parameter')}</li>}
    </ul>
  );
}

function Value({ value }: { readonly value: CapturedValue | undefined }) {
  if (value === undefined) return <span className={classes.unknown}>not captured</span>;
  const { text, tone, className, note } = summarise(value);
  return (
    <>
      {className !== undefined && `${escapeControlCharacters(className)} `}
      <span data-tone={tone}>{text}</span>
      {note !== undefined && <span className={classes.unknown}> {note}</span>}
    </>
  );
}
