import { escapeControlCharacters } from '@throughline/contract/captured';
import { CommandFailed } from '../command.ts';

interface NamedProject {
  readonly id: string;
  readonly name: string;
}

const MAX_LISTED = 20;

/**
 * Finds the project with the given id or name. If `given` is undefined, returns the only project.
 * @throws CommandFailed if there is no such project, or more than one
 */
export function findProject(projects: readonly NamedProject[], given: string | undefined): NamedProject {
  const found = projects.filter(
    ({ id, name }) => given === undefined || id === given.toLowerCase() || name === given,
  );
  const [project] = found;
  if (project !== undefined && found.length === 1) return project;
  if (projects.length === 0) throw new CommandFailed('The access token can read no project.');
  if (project === undefined) {
    throw new CommandFailed(
      `The access token can read no project with this name or id. ${listProjects(projects)}`,
    );
  }
  if (given === undefined)
    throw new CommandFailed(`Choose a project with --project. ${listProjects(projects)}`);
  const ids = found.map(({ id }) => `  ${id}`).join('\n');
  throw new CommandFailed(`Several projects have this name. Choose one by its id:\n${ids}`);
}

function listProjects(projects: readonly NamedProject[]): string {
  const names = projects
    .map(({ name }) => escapeControlCharacters(name))
    .sort((a, b) => a.localeCompare(b, 'en'));
  const more = names.length > MAX_LISTED ? [`… and ${names.length - MAX_LISTED} more`] : [];
  return `Projects:\n${[...names.slice(0, MAX_LISTED), ...more].map((line) => `  ${line}`).join('\n')}`;
}
