import { Center, Loader } from '@mantine/core';

/** Shown while a result is still being computed. */
export function Working({ what }: { readonly what: string }) {
  return (
    <Center h="100%" mih={160} role="status">
      <Loader size="sm" aria-label={`Calculating the ${what}`} />
    </Center>
  );
}
