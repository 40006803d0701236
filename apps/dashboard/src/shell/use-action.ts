import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/**
 * A mutation that ignores further calls while it is running. A button is disabled only after the next render, so a double click would
 * send the same change twice, and the server would reject the second request.
 */
export function useAction<Data, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
): UseMutationResult<Data, Error, Variables, Context> {
  const isRunning = useRef(false);
  const mutation = useMutation<Data, Error, Variables, Context>({
    ...options,
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
  return { ...mutation, mutate };
}
