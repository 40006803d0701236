import { useEffect } from 'react';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { type NamedProject, useKnownProjects } from './known-projects.ts';

/**
 * Returns the project that the URL names, or the first project if the URL names none. Returns undefined while the projects load,
 * if there are none, and if the named project is not in the list.
 */
export function chooseProject(
  projects: readonly NamedProject[] | undefined,
  wanted: string | undefined,
): NamedProject | undefined {
  return wanted === undefined ? projects?.[0] : projects?.find((project) => project.id === wanted);
}

/**
 * Returns the selected project, and the query of all projects. Writes the first project into the URL if the URL names none. `selected` is a
 * project from the server's list; `shown` can also be a project that is only known from its traces. `isMissing` is true if the project in
 * the URL was deleted or is not the viewer's.
 */
export function useSelectedProject() {
  const { known, query: projects, isFetching } = useKnownProjects();
  const { project: wanted } = useViewParams();
  const change = useChangeView();
  const shown = chooseProject(known, wanted);
  const chosenId = shown?.id;
  const selected = projects.data?.find(({ id }) => id === chosenId);
  useEffect(() => {
    if (chosenId !== undefined && wanted === undefined) change({ project: chosenId }, { replace: true });
  });
  const isUnknown = known !== undefined && wanted !== undefined && shown === undefined;
  return {
    selected,
    shown,
    known,
    projects,
    isMissing: isUnknown && !isFetching,
    // A project missing from the cached list may have just been created, so wait for the refetch.
    isLookedFor: isUnknown && isFetching,
  };
}
