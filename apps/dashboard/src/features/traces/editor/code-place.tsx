import { ActionIcon } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shell/load-page.ts';
import classes from './code-place.module.css';
import { buildEditorAddress } from './editor-address.ts';
import { useEditorSetting } from './use-editor-setting.ts';

const EditorForm = lazyPart(() => import('./editor-form.tsx'), 'EditorForm');

interface CodePlaceProps {
  readonly file: string;
  readonly line: number | null;
}

/** Shows `file:line`, as a link to the editor once an editor is set up. */
export function CodePlace({ file, line }: CodePlaceProps) {
  const [setting] = useEditorSetting();
  const address = buildEditorAddress(setting, file, line);
  // Wrapped in one element, since a line-clamped container treats each child as a block.
  const place = (
    <span>
      {escapeControlCharacters(file)}
      {line !== null && <span className={classes.line}>:{line}</span>}
    </span>
  );
  if (address === undefined) return <span className="mono">{place}</span>;
  return (
    <a className={`mono ${classes.link}`} href={address} title="Open in the editor" rel="noreferrer">
      {place}
    </a>
  );
}

/** Button that opens the form for the editor in which source files are opened. */
export function EditorButton() {
  const [setting, change] = useEditorSetting();
  const [form, setForm] = useState<'never' | 'open' | 'closed'>('never');
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label="Open code in an editor…"
      title="Open code in an editor…"
      aria-expanded={form === 'open'}
      onClick={() => setForm((before) => (before === 'open' ? 'closed' : 'open'))}
    >
      <IconSettings size={16} aria-hidden />
    </ActionIcon>
  );
  if (form === 'never') return button;
  return (
    <Suspense fallback={button}>
      <EditorForm
        setting={setting}
        onChange={change}
        opened={form === 'open'}
        onOpened={(opened) => setForm(opened ? 'open' : 'closed')}
      >
        {button}
      </EditorForm>
    </Suspense>
  );
}
