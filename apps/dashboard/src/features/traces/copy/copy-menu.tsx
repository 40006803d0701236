import { Button, type ButtonProps, Menu } from '@mantine/core';
import {
  IconBraces,
  IconChevronDown,
  IconHash,
  IconLink,
  IconMarkdown,
  IconTerminal2,
} from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiError, formatBytes, type Trace } from '@throughline/contract';
import { copyText } from '../../../ui/copying/copy-text.ts';
import { saveFile } from '../../../ui/copying/save-file.ts';
import { notifyFailure } from '../../../ui/feedback/notify-failure.tsx';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { traceJson } from '../data/queries.ts';
import { useTraceAddress } from '../data/use-trace-address.ts';
import { prepareTrace } from '../load/prepared-trace.ts';
import { withRequestParts } from '../parts/request-parts.ts';
import { listCurlNotes } from './curl-notes.ts';
import { BODY_FILE, buildCurlCommand } from './curl-text.ts';
import { writeMarkdownSummary } from './markdown-summary.ts';

/** Longer results are saved as a file, since few programs can handle such a paste. Characters. */
const MAX_COPIED_LENGTH = 5_000_000;

/** Copies a trace in formats for other programs. Until the trace is loaded, renders a disabled button in the place of the menu's button. */
export function CopyMenu({ trace }: { readonly trace: Trace | undefined }) {
  return trace === undefined ? <CopyButton disabled /> : <LoadedCopyMenu trace={trace} />;
}

function CopyButton(props: ButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      rightSection={<IconChevronDown size={14} aria-hidden />}
      {...props}
    >
      Copy
    </Button>
  );
}

function LoadedCopyMenu({ trace }: { readonly trace: Trace }) {
  const client = useQueryClient();
  const address = useTraceAddress(trace._id);
  const summary = () => writeMarkdownSummary(trace, prepareTrace(trace).forest, address);
  const choices = [
    { what: 'Link', Icon: IconLink, text: () => address },
    { what: 'Markdown summary', Icon: IconMarkdown, text: summary },
    { what: 'Trace ID', Icon: IconHash, text: () => trace.traceId },
  ] as const;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <CopyButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconTerminal2 size={14} aria-hidden />}
          onClick={() => void copyCurl(trace, client)}
        >
          cURL command
        </Menu.Item>
        {choices.map(({ what, Icon, text }) => (
          <Menu.Item
            key={what}
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => copy(what, text())}
          >
            {what}
          </Menu.Item>
        ))}
        <Menu.Item
          leftSection={<IconBraces size={14} aria-hidden />}
          onClick={() => void copyJson(client, trace._id)}
        >
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A longer body would make a command that few shells accept. Characters. */
const INLINE_BODY = 100_000;

/** Copies the request as a curl command. Fetches large parts first, and reports missing parts. */
async function copyCurl(trace: Trace, client: QueryClient): Promise<void> {
  try {
    const request = await withRequestParts(trace, client);
    const command = buildCurlCommand(request, INLINE_BODY);
    if (command.bodyFile !== undefined) saveFile(new Blob([command.bodyFile]), BODY_FILE);
    copy('cURL command', command.text, listCurlNotes(request, command).join(' '));
  } catch (error) {
    notifyNotCopied('cURL command', error);
  }
}

function notifyNotCopied(what: string, error: unknown): void {
  const why = error instanceof ApiError ? error.message : 'The connection was lost.';
  notifyFailure(`${what}: not copied. ${why}`, error);
}

function copy(what: string, text: string, note = ''): void {
  copyText(text).then(
    () => notifySuccess(`${what}: copied. ${note}`.trim()),
    () => notifyFailure(`${what}: clipboard access was blocked.`),
  );
}

async function copyJson(client: QueryClient, traceId: string): Promise<void> {
  try {
    const text = await traceJson(client, traceId);
    if (text.length <= MAX_COPIED_LENGTH) return copy('JSON', text);
    saveFile(new Blob([text], { type: 'application/json' }), `trace-${traceId}.json`);
    notifySuccess(`${formatBytes(text.length)} is too large for the clipboard. Saved as a file.`);
  } catch (error) {
    notifyNotCopied('JSON', error);
  }
}
