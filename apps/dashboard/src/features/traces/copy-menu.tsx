import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBraces,
  IconChevronDown,
  IconHash,
  IconLink,
  IconMarkdown,
  IconTerminal2,
} from '@tabler/icons-react';
import { ApiError, type Trace } from '@throughline/contract';
import { copyText } from '../../ui/copy-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { formatBytes } from '../../visuals/values/value-summary.ts';
import { curlText } from './curl-text.ts';
import { forestOf } from './load/prepared-trace.ts';
import { markdownSummary } from './markdown-summary.ts';
import { traceJson } from './queries.ts';
import { useTraceAddress } from './use-trace-address.ts';

/** More than this is saved as a file: few programs bear it pasted. Characters. */
const MOST_COPIED = 5_000_000;

/** What of a trace can be pasted elsewhere. */
export function CopyMenu({ trace }: { readonly trace: Trace }) {
  const address = useTraceAddress(trace._id);
  const summary = () => markdownSummary(trace, forestOf(trace), address);
  const choices = [
    { what: 'Link', Icon: IconLink, text: () => address },
    { what: 'cURL command', Icon: IconTerminal2, text: () => curlText(trace.request) },
    { what: 'Markdown summary', Icon: IconMarkdown, text: summary },
    { what: 'Trace ID', Icon: IconHash, text: () => trace.traceId },
  ] as const;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button size="compact-sm" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          Copy
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
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
          onClick={() => void copyJson(trace._id)}
        >
          JSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function copy(what: string, text: string): void {
  copyText(text).then(
    () => notifications.show({ message: `${what}: copied.` }),
    () => notifications.show({ message: `${what}: the browser refused the clipboard.`, color: 'red' }),
  );
}

async function copyJson(traceId: string): Promise<void> {
  try {
    const text = await traceJson(traceId);
    if (text.length <= MOST_COPIED) return copy('JSON', text);
    saveFile(new Blob([text], { type: 'application/json' }), `trace-${traceId}.json`);
    notifications.show({ message: `JSON: ${formatBytes(text.length)} are much to paste; saved as a file.` });
  } catch (error) {
    const why = error instanceof ApiError ? error.message : 'The connection was cut.';
    notifications.show({ message: `JSON: not copied. ${why}`, color: 'red' });
  }
}
