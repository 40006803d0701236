import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useChangeView, useViewParams } from '../../shell/search-params.ts';
import { type NamedProject, useKnownProjects } from './known-projects.ts';

/** The project that the address names, else the first. Undefined while the projects load, or without any. */
export function chooseProject(
  projects: readonly NamedProject[] | undefined,
  wanted: string | undefined,
): NamedProject | undefined {
  return projects?.find((project) => project.id === wanted) ?? projects?.[0];
}

/**
 * The selected project, and the query of all of them. Writes the one that it chose into the address. `shown` is there too where
 * no more is known of the project than that it has traces.
 */
export function useSelectedProject() {
  const { known, query: projects, isFetching } = useKnownProjects();
  const { project: wanted } = useViewParams();
  const change = useChangeView();
  const shown = chooseProject(known, wanted);
  const chosenId = shown?.id;
  const selected = projects.data?.find(({ id }) => id === chosenId);
  useEffect(() => {
    // A project that the kept list lacks may be one that somebody has just made: ask before correcting the address.
    if (chosenId === undefined || chosenId === wanted || isFetching) return;
    if (wanted !== undefined) {
      notifications.show({
        id: 'project-not-here',
        message: 'The project of that address was deleted, or is not yours to see.',
      });
    }
    change({ project: chosenId }, { replace: true });
  });
  return { selected, shown, known, projects };
}
