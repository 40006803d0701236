import type { CapturedValue } from '@throughline/contract';
import { useEffect, useState } from 'react';
import { CopyButton } from '../../ui/copying/copy-button.tsx';
import { CopyTextButton } from '../../ui/copying/copy-text-button.tsx';
import type { SqlDialect } from './runnable/find-placeholders.ts';
import { SqlParameters } from './sql-parameters.tsx';
import classes from './sql-statement.module.css';
import { SqlText } from './sql-text.tsx';

/** A statement as it was captured. */
export interface Statement {
  readonly sql: string;
  /** Undefined if the placeholders and literals of the statement's database are unknown. */
  readonly dialect: SqlDialect | undefined;
  /** Name of the driver or of its instrumentation. */
  readonly driver: string | undefined;
  /** A list of values, or an object with the values by position or name. */
  readonly parameters: CapturedValue | undefined;
}

/** Shows a statement with the values of its parameters. Its copy buttons copy the statement with placeholders or with these values. */
export function SqlStatement({ statement }: { readonly statement: Statement }) {
  const { sql, dialect, parameters } = statement;
  const runnable = useRunnable(dialect !== undefined && parameters !== undefined);
  const bound = runnable && dialect && { ...statement, dialect };
  return (
    <>
      <div className={classes.heading}>
        <h3>SQL</h3>
        <CopyButton value={sql} label="Copy SQL" />
        {bound && runnable.hasRunnableSql(bound) && (
          <CopyTextButton
            size="compact-xs"
            value={() => runnable.writeRunnableSql(bound)}
            label="Copy as runnable SQL"
            text="Copy as runnable SQL"
          />
        )}
      </div>
      <SqlText text={sql} />
      {bound && <SqlParameters parameters={runnable.listParameters(bound)} />}
    </>
  );
}

type Runnable = typeof import('./runnable/write-runnable-sql.ts');

/** Loads the code that finds placeholders and writes literals. If this fails, the statement is shown without its parameters. */
function useRunnable(isWanted: boolean): Runnable | undefined {
  const [loaded, setLoaded] = useState<Runnable>();
  useEffect(() => {
    if (!isWanted) return;
    let isShown = true;
    import('./runnable/write-runnable-sql.ts').then(
      (module) => {
        if (isShown) setLoaded(module);
      },
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [isWanted]);
  return isWanted ? loaded : undefined;
}
