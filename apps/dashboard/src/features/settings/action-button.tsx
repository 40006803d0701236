import { Button, type ButtonProps } from '@mantine/core';
import type { ActionResult } from '../../shell/use-action.ts';
import { type Outcome, toOutcome } from './outcome.tsx';

interface ActionButtonProps<Done> extends Pick<ButtonProps, 'size' | 'children'> {
  readonly action: ActionResult<Done>;
  readonly done: (answer: Done) => Outcome;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Button that runs an action without confirmation and reports its outcome. */
export function ActionButton<Done>({ action, done, onOutcome, ...button }: ActionButtonProps<Done>) {
  return (
    <Button
      {...button}
      variant="default"
      loading={action.isPending}
      onClick={() =>
        action.mutate(undefined, {
          onSuccess: (answer) => onOutcome(done(answer)),
          onError: (error) => onOutcome(toOutcome(action.explain(error))),
        })
      }
    />
  );
}
