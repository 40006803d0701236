import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const SYSTEM = { scheme: 'auto', label: 'System', icon: IconDeviceDesktop } as const;

/** Light, dark, or the system's setting. */
export const THEME_CHOICES = [
  { scheme: 'light', label: 'Light', icon: IconSun },
  { scheme: 'dark', label: 'Dark', icon: IconMoon },
  SYSTEM,
] as const;

export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** Parses a choice; an unknown choice follows the system. */
export function readThemeChoice(text: string): ThemeChoice {
  return THEME_CHOICES.find((choice) => choice.scheme === text) ?? SYSTEM;
}
