import { type Project, routes } from '@throughline/contract';
import type { Person } from './people.ts';

export interface TestProject {
  readonly id: string;
  readonly apiKey: string;
  readonly project: Project;
}

/** Creates a project for a person. Returns the project with its key. A new account's plan includes one project. */
export async function makeProject(person: Person, name = 'shop'): Promise<TestProject> {
  const { project } = await person.client.call(routes.projects.create, { body: { name } });
  const { apiKey } = await person.client.call(routes.projects.apiKey, { params: { id: project.id } });
  return { id: project.id, apiKey, project };
}
