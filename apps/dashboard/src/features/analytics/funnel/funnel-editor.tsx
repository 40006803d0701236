import { ActionIcon, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import type { BusinessAnalytics } from '@throughline/contract';
import { useState } from 'react';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import classes from '../analytics.module.css';
import { useSetFunnel } from '../data/queries.ts';
import type { Scope } from '../data/scope.ts';

/** Maximum number of steps of a funnel that the server accepts. */
const MAX_STEPS = 10;
const MIN_STEPS = 2;

interface Step {
  readonly method: string;
  readonly path: string;
  readonly name: string;
}

interface FunnelEditorProps {
  readonly scope: Scope;
  readonly steps: readonly Step[];
  /** The endpoints to choose from. */
  readonly endpoints: BusinessAnalytics['endpointUsage'];
  readonly onClose: () => void;
}

/** Form that changes the endpoints of a funnel, and the order of the endpoints. */
export function FunnelEditor({ scope, steps: storedSteps, endpoints, onClose }: FunnelEditorProps) {
  const [steps, setSteps] = useState<readonly Step[]>(
    storedSteps.map(({ method, path, name }) => ({ method, path, name })),
  );
  const save = useSetFunnel(scope);
  const put = (wanted: readonly Step[]) => save.mutate(wanted, { onSuccess: onClose });
  const change = (place: number, name: string) =>
    setSteps(steps.map((step, each) => (each === place ? { ...step, name } : step)));
  return (
    <Stack gap="sm">
      <ol className={classes.steps} aria-label="Steps of the funnel">
        {steps.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several steps can have the same endpoint; the state contains all that a row shows
          <li key={place} className={classes.step}>
            <span className={`mono ${classes.stepEndpoint}`}>
              {place + 1}. {step.method} {step.path}
            </span>
            <TextInput
              size="xs"
              aria-label={`Name of step ${place + 1}`}
              placeholder="Name (optional)"
              maxLength={100}
              value={step.name}
              onChange={({ currentTarget }) => change(place, currentTarget.value)}
            />
            <Move
              label={`Move step ${place + 1} up`}
              icon={IconArrowUp}
              disabled={place === 0}
              onClick={() => setSteps(swapSteps(steps, place, place - 1))}
            />
            <Move
              label={`Move step ${place + 1} down`}
              icon={IconArrowDown}
              disabled={place === steps.length - 1}
              onClick={() => setSteps(swapSteps(steps, place, place + 1))}
            />
            <Move
              label={`Remove step ${place + 1}`}
              icon={IconX}
              disabled={false}
              onClick={() => setSteps(steps.filter((_, each) => each !== place))}
            />
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <NativeSelect
          aria-label="Add a step"
          maw={360}
          value=""
          data={[
            { value: '', label: 'Add a step…', disabled: true },
            ...endpoints.map(({ endpoint }, place) => ({ value: String(place), label: endpoint })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = endpoints[Number(value)];
            if (chosen !== undefined)
              setSteps([...steps, { method: chosen.method, path: chosen.path, name: '' }]);
          }}
        />
      )}
      <FormError {...save.problem} />
      <Group gap="xs">
        <Button
          size="compact-sm"
          disabled={steps.length < MIN_STEPS}
          loading={save.isPending}
          onClick={() => put(steps)}
        >
          Save funnel
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        {storedSteps.length > 0 && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => put([])}>
            Remove funnel
          </Button>
        )}
      </Group>
      {steps.length < MIN_STEPS && <p className={classes.note}>Add at least {MIN_STEPS} steps.</p>}
    </Stack>
  );
}

/** Returns the steps in another order: the steps at the indexes `a` and `b` are swapped. */
function swapSteps(steps: readonly Step[], a: number, b: number): readonly Step[] {
  const [first, second] = [steps[a], steps[b]];
  return first === undefined || second === undefined
    ? steps
    : steps.map((step, place) => (place === a ? second : place === b ? first : step));
}

interface MoveProps {
  readonly label: string;
  readonly icon: typeof IconX;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function Move({ label, icon: Icon, disabled, onClick }: MoveProps) {
  return (
    <ActionIcon
      size={24}
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}
