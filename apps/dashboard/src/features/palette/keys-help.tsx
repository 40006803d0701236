import { Group, Kbd, Modal } from '@mantine/core';
import classes from './palette.module.css';

/** Every key of the product, by where it is heard. */
const KEYS = {
  Everywhere: [
    [['Ctrl', 'K'], 'Go to a page, project or trace, or do something'],
    [['?'], 'These keys'],
  ],
  'A list of traces': [
    [['j'], 'Next row'],
    [['k'], 'Row before'],
    [['Enter'], 'Open the row'],
    [['x'], 'Select the row'],
    [['Shift', 'X'], 'Select all from the last one to it'],
    [['Esc'], 'Select none'],
    [['/'], 'Search'],
    [['e'], 'The failed ones alone, and all again'],
  ],
  'A trace': [
    [['e'], 'Next error'],
    [['s'], 'Slowest step'],
    [['c'], 'Next step of the critical path'],
    [['f'], 'Find steps'],
    [['[', ']'], 'Trace above, and below, in the list'],
    [['Up', 'Down'], 'Step above, and below'],
    [['Left', 'Right'], 'Fold, and unfold'],
    [['+', '-', '0'], 'Waterfall: zoom in, out, all'],
    [['<', '>'], 'Waterfall: go along'],
    [['Esc'], 'Close'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [readonly string[], string])[]>>;

/** The keys of the product. */
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
        {/* No header element: the dialog below may have one. */}
        <Group justify="space-between" p="md" pb={0}>
          <Modal.Title>Keyboard shortcuts</Modal.Title>
          {/* It has the focus: what may lie open below must not close with it. */}
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
