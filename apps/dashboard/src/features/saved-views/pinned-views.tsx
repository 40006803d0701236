import { IconBookmark } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { SavedView } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useId } from 'react';
import { useViewParams } from '../../shell/url-state/search-params.ts';
import { useProjects } from '../projects/index.ts';
import { useOwnViews } from './queries.ts';
import classes from './saved-views.module.css';
import { buildViewSearch, isViewOpen, PAGE_NAMES, PAGE_PATHS } from './view-address.ts';

interface PinnedViewsProps {
  /** Closes the drawer, if the sidebar is in a drawer. */
  readonly onNavigate?: (() => void) | undefined;
}

/** The viewer's pinned views, in the order in which they were pinned; an error if they cannot be loaded; nothing if there are none. */
export function PinnedViews({ onNavigate }: PinnedViewsProps) {
  const views = useOwnViews();
  if (views.isLoadingError) {
    return (
      <div className={classes.pinned}>
        <p className={classes.pinnedHeading}>Pinned views</p>
        <button type="button" className={classes.pinnedRetry} onClick={() => void views.refetch()}>
          Pinned views could not be loaded. Try again
        </button>
      </div>
    );
  }
  const pinned = (views.data ?? [])
    .filter((view) => view.pinnedAt !== null)
    .sort((a, b) => ((a.pinnedAt ?? '') < (b.pinnedAt ?? '') ? -1 : 1));
  return pinned.length === 0 ? null : <PinnedLinks pinned={pinned} onNavigate={onNavigate} />;
}

interface PinnedLinksProps extends PinnedViewsProps {
  readonly pinned: readonly SavedView[];
}

function PinnedLinks({ pinned, onNavigate }: PinnedLinksProps) {
  const id = useId();
  const projects = useProjects().data ?? [];
  return (
    <nav aria-labelledby={id} className={classes.pinned}>
      <p id={id} className={classes.pinnedHeading}>
        Pinned views
      </p>
      {pinned.map((view) => (
        <PinnedLink
          key={view.id}
          view={view}
          project={projects.find((one) => one.id === view.projectId)?.name}
          onNavigate={onNavigate}
        />
      ))}
    </nav>
  );
}

interface PinnedLinkProps extends PinnedViewsProps {
  readonly view: SavedView;
  /** Undefined for a view of all projects. */
  readonly project: string | undefined;
}

function PinnedLink({ view, project, onNavigate }: PinnedLinkProps) {
  const params = useViewParams();
  const path = useLocation({ select: (location) => location.pathname });
  const isOpen = isViewOpen(view, path, params);
  const name = escapeControlCharacters(view.name);
  const place = [PAGE_NAMES[view.page], escapeControlCharacters(project ?? 'all projects')].join(' · ');
  return (
    <Link
      to={PAGE_PATHS[view.page]}
      search={buildViewSearch(view)}
      activeOptions={{ exact: true }}
      className={classes.pin}
      data-active={isOpen}
      aria-current={isOpen ? 'page' : undefined}
      title={`${name} (${place})`}
      onClick={onNavigate}
    >
      <IconBookmark size={16} stroke={1.6} aria-hidden />
      <span className={classes.pinName}>{name}</span>
    </Link>
  );
}
