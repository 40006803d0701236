import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { lazyPart } from '../load-page.ts';
import { readThemeChoice } from './theme-choices.ts';
import type { ThemeMenu as Menu } from './theme-menu.tsx';

// Loaded lazily, since the first screen needs neither the menu nor its positioning code.
const ThemeMenu = lazyPart(() => import('./theme-menu.tsx'), 'ThemeMenu');

/** Switches between light, dark, and the system's setting. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [menu, setMenu] = useState<'never' | 'open' | 'closed'>('never');
  const chosen = readThemeChoice(colorScheme);
  const label = `Theme: ${chosen.label}`;
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-label={label}
      aria-haspopup="menu"
      title={label}
      // Until the menu is loaded, a click loads it. The loaded menu opens itself.
      {...(menu === 'never' ? { onClick: () => setMenu('open') } : {})}
    >
      <chosen.icon size={18} aria-hidden />
    </ActionIcon>
  );
  if (menu === 'never') return button;
  return (
    <Suspense fallback={button}>
      <OpeningMenu
        opened={menu === 'open'}
        chosen={chosen}
        onChoose={setColorScheme}
        onOpened={(opened) => setMenu(opened ? 'open' : 'closed')}
      >
        {button}
      </OpeningMenu>
    </Suspense>
  );
}

function OpeningMenu(props: Parameters<typeof Menu>[0]) {
  const opened = useOpenAfterMount(props.opened);
  return <ThemeMenu {...props} opened={opened} />;
}
