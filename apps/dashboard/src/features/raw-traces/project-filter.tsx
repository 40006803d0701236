import { NativeSelect } from '@mantine/core';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { useKnownProjects } from '../projects/known-projects.ts';

const ALL_PROJECTS = 'all';

/** Selects the traces of one project, or of all. */
export function ProjectFilter() {
  const projects = useKnownProjects();
  const { project } = useViewParams();
  const change = useChangeView();
  const options = [
    { value: ALL_PROJECTS, label: 'All Projects' },
    ...(projects.known ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  const known = project === undefined || options.some(({ value }) => value === project);
  return (
    <NativeSelect
      aria-label="Project"
      w={160}
      maw="100%"
      // A project that is not the viewer's is named all the same, so that the filter says why nothing is listed.
      data={
        known || projects.known === undefined
          ? options
          : [...options, { value: project, label: 'Unknown project' }]
      }
      value={project ?? ALL_PROJECTS}
      onChange={({ currentTarget: { value } }) =>
        change({ project: value === ALL_PROJECTS ? undefined : value, trace: undefined }, { replace: true })
      }
    />
  );
}
