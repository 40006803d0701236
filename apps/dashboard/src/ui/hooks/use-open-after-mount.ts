import { useMounted } from '@mantine/hooks';

/**
 * Delays opening until after mount. Mantine's dialogs remember the focused element when they change from closed to open, so a dialog
 * that is loaded only on first use must be closed in its first render.
 */
export function useOpenAfterMount(opened: boolean): boolean {
  const mounted = useMounted();
  return opened && mounted;
}
