import { useLocalStorage } from '@mantine/hooks';

/** Returns whether lists show previews, stored in this browser, and a function to change it. */
export function usePreviewSetting(): readonly [boolean, (on: boolean) => void] {
  const [stored, keep] = useLocalStorage<unknown>({ key: 'row_previews', getInitialValueInEffect: false });
  return [stored !== false, keep];
}
