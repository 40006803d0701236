import { Group, Kbd, Modal } from '@mantine/core';
import classes from './palette.module.css';

/** All keyboard shortcuts, grouped by the page or element in which they work. */
const KEYS = {
  Everywhere: [
    [['Ctrl', 'K'], 'Open command palette'],
    [['?'], 'Keyboard shortcuts'],
  ],
  'A list of traces': [
    [['j'], 'Next row'],
    [['k'], 'Previous row'],
    [['Enter'], 'Open the row'],
    [['x'], 'Select the row'],
    [['Shift', 'X'], 'Select range'],
    [['Esc'], 'Clear selection'],
    [['/'], 'Search'],
    [['f'], 'Filter by the row'],
    [['e'], 'Toggle errors only'],
  ],
  'A trace': [
    [['e'], 'Next error'],
    [['s'], 'Slowest step'],
    [['c'], 'Next step on the critical path'],
    [['f'], 'Find steps'],
    [['[', ']'], 'Previous / next trace'],
    [['Up', 'Down'], 'Previous / next step'],
    [['Left', 'Right'], 'Collapse / expand'],
    [['*'], 'Expand the step and its siblings'],
    [['+', '-', '0'], 'Timeline: zoom in, out, all'],
    [['<', '>'], 'Timeline: pan'],
    [['Esc'], 'Close'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [readonly string[], string])[]>>;

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={480}
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Omits the header element: a page must have only one, and the dialog below may already have a header. */}
        <Group justify="space-between" p="md" pb={0}>
          <Modal.Title>Keyboard shortcuts</Modal.Title>
          {/* The close button has the focus; `data-mantine-stop-propagation` keeps Escape from also closing a dialog below this one. */}
          <Modal.CloseButton aria-label="Close" data-mantine-stop-propagation="true" />
        </Group>
        <Modal.Body>
          {Object.entries(KEYS).map(([where, keys]) => (
            <table key={where} className={classes.keys}>
              <caption>{where}</caption>
              <tbody>
                {keys.map(([names, what]) => (
                  <tr key={what}>
                    <th scope="row">
                      {names.map((name) => (
                        <Kbd key={name} size="xs" mr={4}>
                          {name}
                        </Kbd>
                      ))}
                    </th>
                    <td>{what}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ))}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
