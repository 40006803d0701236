import { Button, type ButtonProps } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { failed, type Outcome } from './outcome.tsx';

interface ActionButtonProps<Done> extends Pick<ButtonProps, 'size' | 'children'> {
  readonly action: UseMutationResult<Done, Error, void>;
  readonly done: (answer: Done) => Outcome;
  /** The text where the server gave none. */
  readonly failure: string;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** A button that does one thing at once, and says what came of it. */
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
