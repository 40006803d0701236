import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { FormProblem } from '../ui/feedback/form-error.tsx';
import { notifyFailure } from '../ui/feedback/notify-failure.tsx';
import { explainFailure } from './session/refusal.ts';

interface ActionOptions<Data, Variables, Context>
  extends UseMutationOptions<Data, Error, Variables, Context> {
  /** The failed action, as a sentence: "The project could not be renamed." A function returns the whole message. */
  readonly failure: string | ((error: Error) => string);
  /**
   * True if each failure is shown as a notification. By default, the caller shows `problem` beside the button. If the caller's dialog or
   * row was removed before the failure arrived, the failure becomes a notification.
   */
  readonly notifies?: true;
}

interface Explained {
  /** Returns the message for a failure, and the error, from which the remedy is derived. */
  readonly explain: (error: Error) => FormProblem;
  /** The last failure, until the action succeeds, runs again or is reset. */
  readonly problem: FormProblem | undefined;
}

export type ActionResult<Data, Variables = void, Context = unknown> = UseMutationResult<
  Data,
  Error,
  Variables,
  Context
> &
  Explained;

/**
 * A mutation that ignores further calls while it is running. A button is disabled only after the next render, so a double click would
 * send the same change twice, and the server would reject the second request.
 */
export function useAction<Data, Variables = void, Context = unknown>({
  failure,
  notifies,
  ...options
}: ActionOptions<Data, Variables, Context>): ActionResult<Data, Variables, Context> {
  const isRunning = useRef(false);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const explain = (error: Error): FormProblem => ({
    message: typeof failure === 'string' ? explainFailure(failure, error) : failure(error),
    error,
  });
  const mutation = useMutation<Data, Error, Variables, Context>({
    ...options,
    onError(error, ...rest) {
      if (notifies === true || !isShown.current) notifyFailure(explain(error).message ?? '', error);
      return options.onError?.(error, ...rest);
    },
    onSettled(...settled) {
      isRunning.current = false;
      return options.onSettled?.(...settled);
    },
  });
  const { mutate: begin } = mutation;
  const mutate = useCallback<typeof begin>(
    (...given) => {
      if (isRunning.current) return;
      isRunning.current = true;
      begin(...given);
    },
    [begin],
  );
  const problem = mutation.isError ? explain(mutation.error) : undefined;
  return { ...mutation, mutate, explain, problem };
}
