import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const CHOICES = [
  { scheme: 'light', label: 'Light', icon: IconSun },
  { scheme: 'dark', label: 'Dark', icon: IconMoon },
  { scheme: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const;

/** Light, dark, or as the system is. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const chosen = CHOICES.find((choice) => choice.scheme === colorScheme) ?? CHOICES[2];
  return (
    <Menu position="top-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={`Theme: ${chosen.label}`}>
          <chosen.icon size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ scheme, label, icon: Icon }) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={scheme === colorScheme ? <IconCheck size={14} aria-hidden /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
