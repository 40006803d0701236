import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const SYSTEM = { scheme: 'auto', label: 'As the system', icon: IconDeviceDesktop } as const;
const CHOICES = [
  { scheme: 'light', label: 'Light', icon: IconSun },
  { scheme: 'dark', label: 'Dark', icon: IconMoon },
  SYSTEM,
] as const;

const readChoice = (text: string) => CHOICES.find((choice) => choice.scheme === text) ?? SYSTEM;

/** Light, dark, or as the system is. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const chosen = readChoice(colorScheme);
  return (
    <Menu position="top-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={`Theme: ${chosen.label}`}>
          <chosen.icon size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={chosen.scheme}
          onChange={(scheme) => setColorScheme(readChoice(scheme).scheme)}
        >
          {CHOICES.map(({ scheme, label, icon: Icon }) => (
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
