import { Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { ActionIconLink } from '../../../ui/layout/links.tsx';
import { useTraceLook } from '../data/use-trace-address.ts';

const LABEL = 'Open as page';

/** Opens the dialog's trace as a page of its own, with the same view. */
export function OpenAsPage({ traceId }: { readonly traceId: string }) {
  const { project } = useViewParams();
  const look = useTraceLook();
  return (
    <Tooltip label={LABEL}>
      <ActionIconLink
        variant="subtle"
        color="gray"
        aria-label={LABEL}
        to="/traces/$id"
        params={{ id: traceId }}
        search={{ project, ...look }}
      >
        <IconExternalLink size={16} aria-hidden />
      </ActionIconLink>
    </Tooltip>
  );
}
