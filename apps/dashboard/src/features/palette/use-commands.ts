import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconActivity,
  IconBookmark,
  IconClock,
  IconFolder,
  IconFolderPlus,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formatDuration, routes } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { api } from '../../shell/api.ts';
import { listEntries } from '../../shell/frame/navigation.ts';
import { useLogout } from '../../shell/session/logout.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { keepForPage } from '../../shell/time-range/range-params.ts';
import { useViewParams } from '../../shell/url-state/search-params.ts';
import { useTimeLook } from '../../ui/time/time-look.ts';
import { useProjects } from '../projects/index.ts';
import { buildViewSearch, PAGE_PATHS, useOwnViews, useSharedViews } from '../saved-views/index.ts';
import type { Command } from './commands.ts';

/** Milliseconds after the last typed key before the server is queried for traces. */
const TYPING_MS = 200;
const TRACES = 6;

/** Returns the palette's commands for the typed query. `showKeys` opens the list of keyboard shortcuts. */
export function useCommands(typed: string, showKeys: () => void): readonly Command[] {
  const pages = usePages();
  const projects = useProjectCommands();
  const traces = useTraceCommands(typed.trim());
  const actions = useActions(showKeys);
  const views = useViewCommands();
  return [...pages, ...views, ...projects, ...traces, ...actions];
}

function usePages(): Command[] {
  const { organization } = useSignedIn();
  const view = useViewParams();
  const navigate = useNavigate();
  return listEntries(organization).map(({ section, label, to, icon }) => ({
    id: `page ${section}`,
    group: 'Pages',
    name: label,
    icon,
    run: () => void navigate({ to, search: keepForPage(to, view) }),
  }));
}

/** Returns commands for the viewer's own and pinned views, and for the shared views of the selected project. */
function useViewCommands(): Command[] {
  const { project } = useViewParams();
  const projects = useProjects().data ?? [];
  const navigate = useNavigate();
  const found = [...(useOwnViews().data ?? []), ...(useSharedViews(project).data ?? [])];
  return [...new Map(found.map((view) => [view.id, view])).values()].map((view) => ({
    id: `view ${view.id}`,
    group: 'Views',
    name: escapeControlCharacters(view.name),
    note: escapeControlCharacters(projects.find(({ id }) => id === view.projectId)?.name ?? 'All projects'),
    icon: IconBookmark,
    run: () => void navigate({ to: PAGE_PATHS[view.page], search: buildViewSearch(view) }),
  }));
}

function useProjectCommands(): Command[] {
  const view = useViewParams();
  const navigate = useNavigate();
  return (useProjects().data ?? []).map(({ id, name, description }) => ({
    id: `project ${id}`,
    group: 'Projects',
    name: escapeControlCharacters(name),
    note: escapeControlCharacters(description),
    icon: IconFolder,
    run: () =>
      void navigate({ to: '/dashboard', search: keepForPage('/dashboard', { ...view, project: id }) }),
  }));
}

/** Returns commands for the newest traces whose path contains the typed query, or whose trace id begins with the query. */
function useTraceCommands(typed: string): Command[] {
  const navigate = useNavigate();
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const query = useQuery({
    queryKey: ['palette-traces', search],
    queryFn: ({ signal }) =>
      api.call(routes.traces.list, {
        query: { limit: TRACES, ...(search === '' ? {} : { search }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  return (query.data?.traces ?? []).map(({ _id, request, response, timing, service }) => ({
    id: `trace ${_id}`,
    group: 'Traces',
    name: escapeControlCharacters(`${request.method} ${request.path}`),
    note: escapeControlCharacters(
      [response.statusCode ?? 'no response', formatDuration(timing.duration), service]
        .filter(Boolean)
        .join(' · '),
    ),
    icon: IconActivity,
    found: true,
    run: () => void navigate({ to: '/traces/$id', params: { id: _id } }),
  }));
}

function useActions(showKeys: () => void): Command[] {
  const { setColorScheme } = useMantineColorScheme();
  const [look, setLook] = useTimeLook();
  const logout = useLogout();
  const navigate = useNavigate();
  const action = (name: string, icon: Command['icon'], run: () => void): Command => ({
    id: `action ${name}`,
    group: 'Actions',
    name,
    icon,
    run,
  });
  const other = look === 'relative' ? 'absolute' : 'relative';
  return [
    action('Create a project', IconFolderPlus, () => void navigate({ to: '/projects' })),
    action(`Show ${other} times`, IconClock, () => setLook(other)),
    action('Light theme', IconSun, () => setColorScheme('light')),
    action('Dark theme', IconMoon, () => setColorScheme('dark')),
    action('Keyboard shortcuts', IconKeyboard, showKeys),
    action('Logout', IconLogout, logout),
  ];
}
