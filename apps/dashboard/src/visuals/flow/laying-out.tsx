import { Center, Loader } from '@mantine/core';

/** Shown while a graph's layout is computed. */
export function LayingOut() {
  return (
    <Center h="100%" role="status">
      <Loader size="sm" aria-label="Laying out the flow" />
    </Center>
  );
}
