import { Loader, Menu, Stack } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBookmark,
  IconCheck,
  IconListDetails,
  IconPinFilled,
  IconPlus,
} from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import type { SavedView, ViewPage } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useViewParams } from '../../shell/url-state/search-params.ts';
import { ItemLink } from './item-link.tsx';
import { ReleaseItems } from './release-items.tsx';
import classes from './saved-views.module.css';
import { useListedViews } from './use-listed-views.ts';
import { buildViewSearch, isViewOpen, PAGE_NAMES, PAGE_PATHS } from './view-address.ts';

interface ViewItemsProps {
  readonly page: ViewPage;
  readonly projectId: string | undefined;
  readonly onSave: () => void;
  readonly onManage: () => void;
}

/**
 * The items of the views menu: the saved views, commands that save the current filters or manage the views, and views of the newest
 * release.
 */
export function ViewItems({ page, projectId, onSave, onManage }: ViewItemsProps) {
  const { state, personal, shared, isFetching, retry } = useListedViews(projectId);
  return (
    <>
      {state === 'loading' && <Menu.Label>Loading…</Menu.Label>}
      {state === 'failed' && (
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={
            isFetching ? <Loader size={14} color="gray" /> : <IconAlertTriangle size={16} aria-hidden />
          }
          onClick={retry}
        >
          Views could not be loaded. Try again
        </Menu.Item>
      )}
      {state === 'loaded' && (
        <>
          {personal.length + shared.length === 0 && (
            <Menu.Label>No saved views{projectId === undefined ? ' for “All projects”' : ''} yet.</Menu.Label>
          )}
          <Group label="Only me" views={personal} page={page} />
          <Group label="Shared in the project" views={shared} page={page} />
        </>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={onSave}>
        Save this view…
      </Menu.Item>
      {personal.length + shared.length > 0 && (
        <Menu.Item leftSection={<IconListDetails size={16} aria-hidden />} onClick={onManage}>
          Manage views…
        </Menu.Item>
      )}
      <ReleaseItems page={page} projectId={projectId} />
    </>
  );
}

interface GroupProps {
  readonly label: string;
  readonly views: readonly SavedView[];
  readonly page: ViewPage;
}

function Group({ label, views, page }: GroupProps) {
  const params = useViewParams();
  const path = useLocation({ select: (location) => location.pathname });
  if (views.length === 0) return null;
  return (
    <Stack gap={0} role="group" aria-label={label}>
      <Menu.Label aria-hidden>{label}</Menu.Label>
      {views.map((view) => {
        const isOpen = isViewOpen(view, path, params);
        const Icon = isOpen ? IconCheck : IconBookmark;
        const name = escapeControlCharacters(view.name);
        return (
          <ItemLink
            key={view.id}
            to={PAGE_PATHS[view.page]}
            search={buildViewSearch(view)}
            activeOptions={{ exact: true }}
            aria-current={isOpen ? 'page' : undefined}
            title={name}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={
              view.pinnedAt !== null && (
                <>
                  <IconPinFilled size={14} aria-hidden />
                  <span className="visually-hidden">, pinned</span>
                </>
              )
            }
          >
            <span className={classes.itemName}>{name}</span>
            {view.page !== page && <span className={classes.itemPage}>{PAGE_NAMES[view.page]}</span>}
          </ItemLink>
        );
      })}
    </Stack>
  );
}
