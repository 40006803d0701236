import { useMounted } from '@mantine/hooks';

/**
 * Mantine's dialogs remember where the focus was when they change from closed to open. One that is loaded only when
 * it is first opened must therefore begin closed.
 */
export function useOpenAfterMount(opened: boolean): boolean {
  const mounted = useMounted();
  return opened && mounted;
}
