import { Center, Loader } from '@mantine/core';

/** In the place of what is still being worked out. */
export function Working({ what }: { readonly what: string }) {
  return (
    <Center h="100%" mih={160} role="status">
      <Loader size="sm" aria-label={`Calculating the ${what}`} />
    </Center>
  );
}
