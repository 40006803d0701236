import { formatCounted } from '@throughline/contract';
import type { ValuePath } from '../../../visuals/flow/functions/value-path/value-path.ts';
import type { StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { LoadedTrace } from '../data/queries.ts';
import { listParts } from '../step/values/list-parts.ts';
import classes from './follow-control.module.css';
import { FollowMenu, type ListValues } from './follow-menu.tsx';
import { listFollowableValues } from './followable-values.ts';
import { nameAsked } from './link-words.ts';
import { useValueOrigin } from './value-origin-context.ts';

interface FollowControlProps {
  readonly loaded: LoadedTrace;
  readonly selected: StepEntry | undefined;
  /** The path of the followed value. Undefined if no value is followed, and until the path is loaded. */
  readonly path: ValuePath | undefined;
}

/** Explains the arrows of the followed value. If no value is followed, offers the values of the selected call. */
export function FollowControl({ loaded, selected, path }: FollowControlProps) {
  const origin = useValueOrigin();
  if (origin === undefined) return null;
  const { asked } = origin;
  if (asked !== undefined) {
    if (path === undefined) return null;
    return (
      <p className={classes.legend}>
        <svg width={28} height={8} aria-hidden>
          <path d="M0 4H19" />
          <path d="M28 4l-9 -4v8z" />
        </svg>
        <span>
          <code className="mono">{nameAsked(asked)}</code> in {formatCounted(path.functions.size, 'function')}
        </span>
      </p>
    );
  }
  return <FollowMenu loaded={loaded} selected={selected} list={listOfCall} />;
}

const listOfCall: ListValues = (step) => listFollowableValues(listParts(step).parts);
