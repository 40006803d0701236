import { ActionIcon } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { memo, Suspense, useState } from 'react';
import { lazyPart } from '../../../../shell/load-page.ts';
import type { ChosenColumns } from '../use-columns.ts';

// Loaded lazily, since the first screen does not show the settings.
const ListSettings = lazyPart(() => import('./list-settings.tsx'), 'ListSettings');

/** Opens the settings of the list. */
export const SettingsButton = memo(({ columns }: { readonly columns: ChosenColumns }) => {
  const [opened, setOpened] = useState(false);
  const button = (
    <ActionIcon
      variant="default"
      size={36}
      aria-label="Columns, rows and times"
      aria-expanded={opened}
      onClick={() => setOpened((before) => !before)}
    >
      <IconAdjustmentsHorizontal size={16} aria-hidden />
    </ActionIcon>
  );
  if (!opened) return button;
  return (
    <Suspense fallback={button}>
      <ListSettings columns={columns} onClose={() => setOpened(false)}>
        {button}
      </ListSettings>
    </Suspense>
  );
});
