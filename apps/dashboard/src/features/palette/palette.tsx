import { Modal } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { matchCommands } from './commands.ts';
import classes from './palette.module.css';
import { useCommands } from './use-commands.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onKeys: () => void;
}

/** Command palette: finds pages, saved views, projects, traces and actions by a few typed letters. */
export function Palette({ onClose, onKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const commands = matchCommands(useCommands(typed, onKeys), typed);
  const at = Math.min(place, Math.max(0, commands.length - 1));
  const run = (index: number) => {
    const command = commands[index];
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setPlace((at + 1) % Math.max(1, commands.length));
    else if (event.key === 'ArrowUp') setPlace((at - 1 + commands.length) % Math.max(1, commands.length));
    else if (event.key === 'Enter') run(at);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    list.current?.querySelector(`[data-place="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <Modal.Root opened onClose={onClose} size={560} yOffset="10dvh">
      <Modal.Overlay />
      <Modal.Content aria-label="Go to">
        <Modal.Body p={0}>
          <input
            data-autofocus
            // Keeps Escape from closing a dialog below the palette.
            data-mantine-stop-propagation="true"
            role="combobox"
            aria-label="Page, view, project, trace or action"
            aria-expanded
            aria-controls={id}
            aria-autocomplete="list"
            {...(commands.length > 0 ? { 'aria-activedescendant': `${id}-${at}` } : {})}
            className={classes.input}
            placeholder="Page, view, project, trace or action"
            maxLength={1000}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setPlace(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div ref={list} id={id} role="listbox" aria-label="Results" className={classes.list}>
            {commands.map(({ id: command, group, name, note, icon: CommandIcon }, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
              <div
                key={command}
                role="option"
                id={`${id}-${index}`}
                data-place={index}
                aria-selected={index === at}
                className={classes.command}
                onPointerMove={() => setPlace(index)}
                onClick={() => run(index)}
              >
                <CommandIcon size={16} aria-hidden />
                <span className={classes.name}>{name}</span>
                {note !== undefined && note !== '' && <span className={classes.note}>{note}</span>}
                <span className={classes.group}>{group}</span>
              </div>
            ))}
          </div>
          {commands.length === 0 && <p className={classes.none}>No results.</p>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
