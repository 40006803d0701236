import { Menu, Stack } from '@mantine/core';
import { IconAlertTriangle, IconClockHour4 } from '@tabler/icons-react';
import type { ViewPage } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { writeTimeRange } from '../../shell/time-range/range-params.ts';
import { useReleases } from '../../shell/time-range/use-releases.ts';
import { ItemLink } from './item-link.tsx';
import classes from './saved-views.module.css';
import { PAGE_PATHS } from './view-address.ts';

const VIEWS = [
  { name: 'Slowest endpoints', groupSort: 'p95', Icon: IconClockHour4 },
  { name: 'Endpoints with the most errors', groupSort: 'errors', Icon: IconAlertTriangle },
] as const;

interface ReleaseItemsProps {
  readonly page: ViewPage;
  readonly projectId: string | undefined;
}

/**
 * Views of the requests since the newest release. They are the last items of the menu, so that no other item moves when the releases are
 * loaded. Renders nothing if no release is known.
 */
export function ReleaseItems({ page, projectId }: ReleaseItemsProps) {
  const [newest] = useReleases(projectId, true);
  if (newest === undefined) return null;
  const label = `Since release ${escapeControlCharacters(newest.release)}`;
  const range = writeTimeRange({ kind: 'instants', from: newest.firstSeen, to: undefined });
  return (
    <>
      <Menu.Divider />
      <Stack gap={0} role="group" aria-label={label}>
        <Menu.Label aria-hidden className={classes.itemName ?? ''}>
          {label}
        </Menu.Label>
        {VIEWS.map(({ name, groupSort, Icon }) => (
          <ItemLink
            key={name}
            to={PAGE_PATHS[page]}
            search={{ project: projectId, ...range, groupBy: 'endpoint', groupSort }}
            leftSection={<Icon size={16} aria-hidden />}
          >
            {name}
          </ItemLink>
        ))}
      </Stack>
    </>
  );
}
