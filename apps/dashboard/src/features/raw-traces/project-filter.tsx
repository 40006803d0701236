import { NativeSelect } from '@mantine/core';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { useKnownProjects } from '../projects/index.ts';

const ALL_PROJECTS = 'all';

/** Limits the list to one project, or shows all projects. */
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
      // Lists a project that is not the viewer's as "Unknown project", to explain why the list is empty.
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
