export { ProjectsFailure } from './cards/projects-failure.tsx';
export { WaitingForFirstTrace } from './first-trace/lazy-first-trace.ts';
export { type NamedProject, useKnownProjects } from './known-projects.ts';
export { MissingProject } from './missing-project.tsx';
export { mayDoWith } from './permissions.ts';
export { ProjectSelect } from './project-select.tsx';
export { useProjects } from './queries.ts';
export { useSelectedProject } from './selected-project.ts';
export { WithoutProject } from './without-project.tsx';
