import { NativeSelect } from '@mantine/core';
import type { TraceRow } from '@throughline/contract';
import { useChangeView, useViewParams } from '../../shell/search-params.ts';
import { useProjects } from '../projects/queries.ts';
import { ALL_PROJECTS, projectOptions } from './project-options.ts';

/** Whose traces are listed: one project's, or all. */
export function ProjectFilter({ rows }: { readonly rows: readonly TraceRow[] }) {
  const projects = useProjects();
  const { project } = useViewParams();
  const change = useChangeView();
  const options = projectOptions(projects.data ?? [], rows);
  const known = project === undefined || options.some(({ value }) => value === project);
  return (
    <NativeSelect
      aria-label="Project"
      w={200}
      maw="100%"
      // A project that is not the viewer's is named all the same, so that the filter says why nothing is listed.
      data={
        known || projects.isPending ? options : [...options, { value: project, label: 'Unknown project' }]
      }
      value={project ?? ALL_PROJECTS}
      onChange={({ currentTarget: { value } }) =>
        change({ project: value === ALL_PROJECTS ? undefined : value, trace: undefined }, { replace: true })
      }
    />
  );
}
