import type { Project, TraceRow } from '@throughline/contract';

export const ALL_PROJECTS = 'all';

interface Option {
  readonly value: string;
  readonly label: string;
}

/** What the project filter offers. Where there is no project but there are traces, the projects are those they name. */
export function projectOptions(
  projects: readonly Pick<Project, 'id' | 'name'>[],
  rows: readonly Pick<TraceRow, 'projectId'>[],
): Option[] {
  const named =
    projects.length > 0
      ? projects.map(({ id, name }) => ({ value: id, label: name }))
      : [...new Set(rows.map((row) => row.projectId))].map((id) => ({
          value: id,
          label: `Project ${id.slice(0, 8)}`,
        }));
  return [{ value: ALL_PROJECTS, label: 'All Projects' }, ...named];
}
