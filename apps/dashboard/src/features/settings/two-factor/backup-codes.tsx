import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { PRODUCT } from '@throughline/contract';
import { useSignedIn } from '../../../shell/session/use-session.ts';
import { CopyTextButton } from '../../../ui/copying/copy-text-button.tsx';
import classes from '../settings.module.css';

/** Backup codes, which are shown only once, with buttons to copy, save and print them. */
export function BackupCodes({ codes }: { readonly codes: readonly string[] }) {
  const { user } = useSignedIn();
  const text = [
    `${PRODUCT.name} backup codes of ${user.email}`,
    'Each code works once.',
    '',
    ...codes,
    '',
  ].join('\n');
  return (
    <Stack gap="xs">
      <Text size="sm">
        Keep these backup codes in a safe place: each works once, without your authenticator app. They are not
        shown again.
      </Text>
      <ul className={classes.codes} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyTextButton value={codes.join('\n')} label="Copy backup codes" />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => download(text)}
        >
          Download
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPrinter size={14} aria-hidden />}
          onClick={() => print(text)}
        >
          Print
        </Button>
      </Group>
    </Stack>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'throughline-backup-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}

/** Prints from a separate frame, so that only the codes are printed. */
function print(text: string): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = 'Backup codes to print';
  document.body.append(frame);
  const page = frame.contentDocument;
  if (page === null || frame.contentWindow === null) return;
  const lines = page.createElement('pre');
  lines.textContent = text;
  page.body.append(lines);
  frame.contentWindow.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow.print();
}
