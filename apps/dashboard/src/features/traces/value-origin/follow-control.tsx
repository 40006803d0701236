import { Button, Menu } from '@mantine/core';
import { IconArrowGuide, IconChevronDown } from '@tabler/icons-react';
import { formatCounted } from '@throughline/contract';
import { useMemo } from 'react';
import type { ValuePath } from '../../../visuals/flow/functions/value-path/value-path.ts';
import type { StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { type LoadedTrace, useStepValues } from '../data/queries.ts';
import { listParts } from '../step/list-parts.ts';
import classes from './follow-control.module.css';
import { listFollowableValues } from './followable-values.ts';
import { nameAsked } from './link-words.ts';
import { useValueOrigin, type ValueOriginState } from './value-origin-context.ts';

interface FollowControlProps {
  readonly loaded: LoadedTrace;
  readonly selected: StepEntry | undefined;
  /** The path of the followed value; undefined without one, and until it is loaded. */
  readonly path: ValuePath | undefined;
}

/** Explains the arrows of the followed value. Without one, offers the selected call's values. */
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
  const node = selected?.kind === 'step' ? selected.node : undefined;
  return (
    <Menu position="bottom-start" width={280} withinPortal={false}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconArrowGuide size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Follow a value
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        {node === undefined ? (
          <Menu.Label>Select one call of a function to follow its values.</Menu.Label>
        ) : (
          <ValueItems key={node.key} loaded={loaded} node={node} origin={origin} />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ValueItemsProps {
  readonly loaded: LoadedTrace;
  readonly node: StepNode;
  readonly origin: ValueOriginState;
}

function ValueItems({ loaded, node: { step }, origin }: ValueItemsProps) {
  const { data, isError } = useStepValues(loaded, step, true);
  const values = useMemo(() => data && listFollowableValues(listParts(data).parts), [data]);
  if (isError) return <Menu.Label>The values of the selected call could not be loaded.</Menu.Label>;
  if (values === undefined) return <Menu.Label>Loading values…</Menu.Label>;
  if (values.length === 0)
    return <Menu.Label>The selected call has no value to follow. Select another function.</Menu.Label>;
  return values.map(({ place, path, name, text }) => (
    <Menu.Item
      key={JSON.stringify([place, path])}
      onClick={() => origin.ask({ stepId: step.stepId, place, path })}
    >
      <span className={classes.item}>
        <span className="mono">{name}</span> <span className={classes.value}>{text}</span>
      </span>
    </Menu.Item>
  ));
}
