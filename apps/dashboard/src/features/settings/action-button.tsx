import { Button, type ButtonProps } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { failed, type Outcome } from './outcome.tsx';

interface ActionButtonProps<Done> extends Pick<ButtonProps, 'size' | 'children'> {
  readonly action: UseMutationResult<Done, Error, void>;
  readonly done: (answer: Done) => Outcome;
  /** The message for a failure if the server sent none. */
  readonly failure: string;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Button that runs an action without confirmation and reports its outcome. */
export function ActionButton<Done>({ action, done, failure, onOutcome, ...button }: ActionButtonProps<Done>) {
  return (
    <Button
      {...button}
      variant="default"
      loading={action.isPending}
      onClick={() =>
        action.mutate(undefined, {
          onSuccess: (answer) => onOutcome(done(answer)),
          onError: (error) => onOutcome(failed(error, failure)),
        })
      }
    />
  );
}
