import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { SettingsPopover } from '../../../../ui/layout/settings-popover.tsx';
import { type TimeLook, useTimeLook } from '../../../../ui/time/time-look.ts';
import { usePreviewSetting } from '../../preview/preview-setting.ts';
import { moveColumn, toggleColumn } from '../columns.ts';
import type { ChosenColumns } from '../use-columns.ts';
import { type RowDensity, useRowDensity } from './row-density.ts';

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const satisfies readonly { value: RowDensity; label: string }[];

const LOOKS = [
  { value: 'relative', label: 'Relative' },
  { value: 'absolute', label: 'Absolute' },
] as const satisfies readonly { value: TimeLook; label: string }[];

interface ListSettingsProps {
  readonly columns: ChosenColumns;
  readonly onClose: () => void;
  /** The button that opens the settings below it. */
  readonly children: ReactElement;
}

/** The settings of a list: the height of the rows, the time format, and the columns with their order. Stored in this browser. */
export function ListSettings({ columns, onClose, children }: ListSettingsProps) {
  const [look, setLook] = useTimeLook();
  const [density, setDensity] = useRowDensity();
  const [isPreviewOn, setPreviewOn] = usePreviewSetting();
  const ids = columns.shown.map(({ id }) => id);
  const hidden = columns.all.filter(({ id }) => !ids.includes(id));
  return (
    <SettingsPopover label="Table settings" opened onChange={onClose} width={260} button={children}>
      <Text size="xs" c="dimmed">
        Row density
      </Text>
      <SegmentedControl<RowDensity>
        size="xs"
        fullWidth
        aria-label="Row density"
        data={[...DENSITIES]}
        value={density}
        onChange={setDensity}
      />
      <Text size="xs" c="dimmed">
        Times
      </Text>
      <SegmentedControl<TimeLook>
        size="xs"
        fullWidth
        aria-label="Times"
        data={[...LOOKS]}
        value={look}
        onChange={setLook}
      />
      <Checkbox
        size="xs"
        label="Previews"
        description="Shown when the pointer rests on a row"
        checked={isPreviewOn}
        onChange={({ currentTarget }) => setPreviewOn(currentTarget.checked)}
      />
      <Text size="xs" c="dimmed">
        Columns
      </Text>
      <Stack gap="xs" role="group" aria-label="Columns">
        {[...columns.shown, ...hidden].map(({ id, name }) => (
          <Group key={id} justify="space-between" wrap="nowrap" mih={24}>
            <Checkbox
              size="xs"
              label={name}
              checked={ids.includes(id)}
              disabled={columns.asked.includes(id)}
              description={
                columns.asked.includes(id) ? 'Shown because a filter or the order uses it' : undefined
              }
              onChange={() => columns.choose(toggleColumn(ids, id))}
            />
            {ids.includes(id) && (
              <Group gap={0} wrap="nowrap">
                <Move
                  name={name}
                  way="up"
                  disabled={ids[0] === id}
                  onMove={() => columns.choose(moveColumn(ids, id, -1))}
                />
                <Move
                  name={name}
                  way="down"
                  disabled={ids.at(-1) === id}
                  onMove={() => columns.choose(moveColumn(ids, id, 1))}
                />
              </Group>
            )}
          </Group>
        ))}
        <Button size="compact-xs" variant="default" onClick={columns.reset}>
          Reset to default
        </Button>
      </Stack>
    </SettingsPopover>
  );
}

interface MoveProps {
  readonly name: string;
  readonly way: 'up' | 'down';
  readonly disabled: boolean;
  readonly onMove: () => void;
}

function Move({ name, way, disabled, onMove }: MoveProps) {
  const Icon = way === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      size={24}
      variant="subtle"
      color="gray"
      aria-label={`Move ${name} ${way}`}
      disabled={disabled}
      onClick={onMove}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}
