import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconHash, IconLink, IconMarkdown, IconTerminal2 } from '@tabler/icons-react';
import type { Trace } from '@throughline/contract';
import { copyText } from '../../ui/copy-text.ts';
import { curlText } from './curl-text.ts';
import { forestOf } from './load/prepared-trace.ts';
import { markdownSummary } from './markdown-summary.ts';
import { useTraceAddress } from './use-trace-address.ts';

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
