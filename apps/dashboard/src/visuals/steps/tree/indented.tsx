import { formatCount } from '@throughline/contract';
import type { ReactNode } from 'react';
import { computeIndent, type Indentation } from './step-indent.ts';
import type { StepRow } from './step-rows.ts';
import classes from './step-tree.module.css';

interface IndentedProps {
  readonly row: StepRow;
  readonly indentation: Indentation;
  readonly children: ReactNode;
}

/** A row that sets its name's indentation in `--indent`. Beyond the maximum indentation, a number shows the level. */
export function Indented({ row: { level }, indentation, children }: IndentedProps) {
  const { px, isCut } = computeIndent(indentation, level - 1);
  return (
    <div className={classes.indented} data-deep={isCut} style={{ '--indent': `${px}px` }}>
      {children}
      {isCut && (
        <span className={classes.depth} title={`Level ${formatCount(level)}`} aria-hidden>
          {formatCount(level)}
        </span>
      )}
    </div>
  );
}
