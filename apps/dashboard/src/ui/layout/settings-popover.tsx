import { Popover, Stack } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

interface SettingsPopoverProps {
  /** The accessible name of the settings. */
  readonly label: string;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  readonly width: number;
  /** The button below which the settings open. */
  readonly button: ReactElement;
  readonly children: ReactNode;
}

/** Maximum height of the settings in pixels. If the settings are taller, they scroll. */
const MAX_HEIGHT = 560;

/** Limits the height of the settings to the available height, so that they stay within the window wherever their button is. */
function limitHeight({
  availableHeight,
  elements,
}: {
  readonly availableHeight: number;
  readonly elements: { readonly floating: HTMLElement };
}): void {
  elements.floating.style.maxHeight = `${Math.min(MAX_HEIGHT, availableHeight)}px`;
}

/** A few settings below a button. Rendered inside the surrounding element, such as a dialog, and keeps the focus while open. */
export function SettingsPopover({ label, opened, onChange, width, button, children }: SettingsPopoverProps) {
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      trapFocus
      returnFocus
      withinPortal={false}
      width={width}
      middlewares={{ flip: { fallbackStrategy: 'bestFit' }, size: { padding: 8, apply: limitHeight } }}
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown
        style={{ overflowY: 'auto' }}
        // Keys pressed in the fields must not trigger the page's shortcuts.
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Stack gap="xs" role="group" aria-label={label}>
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
