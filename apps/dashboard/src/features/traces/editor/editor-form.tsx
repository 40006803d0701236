import { NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { useOpenAfterMount } from '../../../ui/use-open-after-mount.ts';
import { EDITORS, type EditorName, type EditorSetting, templateFault } from './editor-address.ts';

/** On a field: Escape closes what it stands in, not the dialog below. */
const ESCAPE_STAYS = { 'data-mantine-stop-propagation': 'true' } as const;

interface EditorFormProps {
  readonly setting: EditorSetting;
  readonly onChange: (setting: EditorSetting) => void;
  readonly opened: boolean;
  readonly onOpened: (opened: boolean) => void;
  /** The button below which it stands. */
  readonly children: ReactElement;
}

/** Where places in the code are opened. */
export function EditorForm({ setting, onChange, onOpened, children, ...props }: EditorFormProps) {
  const opened = useOpenAfterMount(props.opened);
  const { editor, root, template } = setting;
  const fault = editor === 'custom' && template !== '' ? templateFault(template) : undefined;
  return (
    <Popover
      opened={opened}
      onChange={onOpened}
      position="bottom-end"
      trapFocus
      returnFocus
      withinPortal={false}
      width={300}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown
        // Keys pressed in the fields are none of the views'.
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Stack gap="xs" role="group" aria-label="Editor">
          <NativeSelect
            {...ESCAPE_STAYS}
            size="xs"
            label="Open code in"
            data={Object.entries(EDITORS).map(([value, { label }]) => ({ value, label }))}
            value={editor}
            onChange={({ currentTarget: { value } }) => {
              if (isEditor(value)) onChange({ ...setting, editor: value });
            }}
          />
          <TextInput
            {...ESCAPE_STAYS}
            size="xs"
            label="The project’s folder on this computer"
            placeholder="/home/ada/shop"
            value={root}
            onChange={({ currentTarget: { value } }) => onChange({ ...setting, root: value })}
          />
          {editor === 'custom' && (
            <TextInput
              {...ESCAPE_STAYS}
              size="xs"
              label="Address with {file} and {line}"
              placeholder="myeditor://open?file={file}&line={line}"
              value={template}
              error={fault}
              onChange={({ currentTarget: { value } }) => onChange({ ...setting, template: value })}
            />
          )}
          <Text size="xs" c="dimmed">
            Kept in this browser. Only files in that folder are opened.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function isEditor(value: string): value is EditorName {
  return Object.hasOwn(EDITORS, value);
}
