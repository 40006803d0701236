import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { useTraceLook } from '../data/use-trace-address.ts';

const LABEL = 'Open as page';

type IconLinkProps = ActionIconProps & Omit<ComponentPropsWithRef<'a'>, keyof ActionIconProps | 'href'>;

const IconLink = createLink((props: IconLinkProps) => (
  <Tooltip label={LABEL}>
    <ActionIcon component="a" variant="subtle" color="gray" aria-label={LABEL} {...props}>
      <IconExternalLink size={16} aria-hidden />
    </ActionIcon>
  </Tooltip>
));

/** Opens the dialog's trace as a page of its own, with the same view. */
export function OpenAsPage({ traceId }: { readonly traceId: string }) {
  const { project } = useViewParams();
  const look = useTraceLook();
  return <IconLink to="/traces/$id" params={{ id: traceId }} search={{ project, ...look }} />;
}
