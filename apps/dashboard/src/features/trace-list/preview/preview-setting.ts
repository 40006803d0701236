import { useLocalStorage } from '@mantine/hooks';

/** Returns whether lists show previews of rows, and a function that changes this setting. The browser stores the setting. */
export function usePreviewSetting(): readonly [boolean, (on: boolean) => void] {
  const [stored, keep] = useLocalStorage<unknown>({ key: 'row_previews', getInitialValueInEffect: false });
  return [stored !== false, keep];
}
