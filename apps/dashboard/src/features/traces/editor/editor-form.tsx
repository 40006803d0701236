import { NativeSelect, Text, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { SettingsPopover } from '../../../ui/layout/settings-popover.tsx';
import { EDITORS, type EditorName, type EditorSetting, findTemplateFault } from './editor-address.ts';

/** Set on a field: Escape closes the popover that contains the field, not the dialog below. */
const ESCAPE_STAYS = { 'data-mantine-stop-propagation': 'true' } as const;

interface EditorFormProps {
  readonly setting: EditorSetting;
  readonly onChange: (setting: EditorSetting) => void;
  readonly opened: boolean;
  readonly onOpened: (opened: boolean) => void;
  /** The button below which the form opens. */
  readonly children: ReactElement;
}

/** Form that sets the editor in which source files are opened. */
export function EditorForm({ setting, onChange, onOpened, children, ...props }: EditorFormProps) {
  const opened = useOpenAfterMount(props.opened);
  const { editor, root, template } = setting;
  const fault = editor === 'custom' && template !== '' ? findTemplateFault(template) : undefined;
  return (
    <SettingsPopover label="Editor" opened={opened} onChange={onOpened} width={300} button={children}>
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
          label="URL with {file} and {line}"
          placeholder="myeditor://open?file={file}&line={line}"
          value={template}
          error={fault}
          onChange={({ currentTarget: { value } }) => onChange({ ...setting, template: value })}
        />
      )}
      <Text size="xs" c="dimmed">
        Saved in this browser. Only files in that folder are opened.
      </Text>
    </SettingsPopover>
  );
}

function isEditor(value: string): value is EditorName {
  return Object.hasOwn(EDITORS, value);
}
