import { useEffect } from 'react';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { type NamedProject, useKnownProjects } from './known-projects.ts';

/** The project that the address names, or the first where it names none. Undefined while the projects load, without any, and for one that is not among them. */
export function chooseProject(
  projects: readonly NamedProject[] | undefined,
  wanted: string | undefined,
): NamedProject | undefined {
  return wanted === undefined ? projects?.[0] : projects?.find((project) => project.id === wanted);
}

/**
 * The selected project, and the query of all of them. Where the address names none, the first is written into it. `shown` is there too where
 * no more is known of the project than that it has traces. `isMissing`: the address names a project that was deleted or is not the viewer's.
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
    // A project that the kept list lacks may be one that somebody has just made.
    isLookedFor: isUnknown && isFetching,
  };
}
