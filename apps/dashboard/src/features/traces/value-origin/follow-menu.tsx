import { Button, Menu } from '@mantine/core';
import { IconArrowGuide, IconChevronDown } from '@tabler/icons-react';
import type { Step } from '@throughline/contract';
import { type RefObject, useMemo } from 'react';
import type { StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { type LoadedTrace, useStepValues } from '../data/queries.ts';
import classes from './follow-control.module.css';
import type { FollowableValue } from './followable-values.ts';
import { useValueOrigin, type ValueOriginState } from './value-origin-context.ts';

/** Lists the values of a call that the menu offers. */
export type ListValues = (step: Step, node: StepNode) => readonly FollowableValue[];

interface FollowMenuProps {
  readonly loaded: LoadedTrace;
  readonly selected: StepEntry | undefined;
  /** The function must stay the same between renders. */
  readonly list: ListValues;
  /** A ref to the menu's button, for the keyboard shortcut that also opens the menu. */
  readonly button?: RefObject<HTMLButtonElement | null>;
}

/** A menu of the selected call's values: the chosen value is followed through the request. */
export function FollowMenu({ loaded, selected, list, button }: FollowMenuProps) {
  const origin = useValueOrigin();
  if (origin === undefined) return null;
  const node = selected?.kind === 'step' ? selected.node : undefined;
  return (
    <Menu position="bottom-start" width={280} withinPortal={false}>
      <Menu.Target>
        <Button
          ref={button ?? null}
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
          <ValueItems key={node.key} loaded={loaded} node={node} origin={origin} list={list} />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ValueItemsProps extends Pick<FollowMenuProps, 'loaded' | 'list'> {
  readonly node: StepNode;
  readonly origin: ValueOriginState;
}

function ValueItems({ loaded, node, origin, list }: ValueItemsProps) {
  const { step } = node;
  const { data, isError } = useStepValues(loaded, step, true);
  const values = useMemo(() => data && list(data, node), [data, list, node]);
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
