import { ActionIcon, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';

export interface Neighbours {
  /** The `_id`s of the previous and next trace in the list. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

export function NeighbourButtons({ previous, next }: Neighbours) {
  return (
    <>
      <Neighbour label="Previous trace ([)" id={previous} icon={<IconChevronUp size={16} aria-hidden />} />
      <Neighbour label="Next trace (])" id={next} icon={<IconChevronDown size={16} aria-hidden />} />
    </>
  );
}

function Neighbour({ label, id, icon }: { label: string; id: string | undefined; icon: ReactNode }) {
  const change = useChangeView();
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={id === undefined}
        onClick={() => change({ trace: id, step: undefined, origin: undefined }, { replace: true })}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
