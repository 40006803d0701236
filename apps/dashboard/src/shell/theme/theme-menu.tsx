import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { readThemeChoice, THEME_CHOICES, type ThemeChoice } from './theme-choices.ts';

interface ThemeMenuProps {
  readonly opened: boolean;
  readonly chosen: ThemeChoice;
  readonly onChoose: (scheme: ThemeChoice['scheme']) => void;
  readonly onOpened: (opened: boolean) => void;
  /** The button that opens the menu. */
  readonly children: ReactElement;
}

/** The themes to choose from. */
export function ThemeMenu({ opened, chosen, onChoose, onOpened, children }: ThemeMenuProps) {
  return (
    <Menu position="top-end" width={180} opened={opened} onChange={onOpened}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={chosen.scheme} onChange={(text) => onChoose(readThemeChoice(text).scheme)}>
          {THEME_CHOICES.map(({ scheme, label, icon: Icon }) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              closeMenuOnClick
              rightSection={<Icon size={16} aria-hidden />}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
