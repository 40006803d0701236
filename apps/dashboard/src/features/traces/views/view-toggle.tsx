import { Button } from '@mantine/core';
import { IconListTree, IconSitemap } from '@tabler/icons-react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';

/** Switches between a trace's details and its flow graph; the selected step stays selected. */
export function ViewToggle({ flow }: { readonly flow: boolean }) {
  const change = useChangeView();
  const Icon = flow ? IconListTree : IconSitemap;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => change({ view: flow ? 'timeline' : 'flow' })}
    >
      {flow ? 'Trace details' : 'Flow graph'}
    </Button>
  );
}
