import { routes, type Trace, type TraceRow } from '@throughline/contract';
import { beforeAll, beforeEach } from 'vitest';
import { type Person, signUp } from './people.ts';
import { makeProject, type TestProject } from './projects.ts';
import { startServer, type TestServer } from './server.ts';

/** What most tests of traces begin with, as it is in the test that runs. */
export interface Scene {
  readonly server: TestServer;
  /** Somebody who just signed up. */
  readonly person: Person;
  /** The person's only project. */
  readonly project: TestProject;
  /** The project's traces, newest first; one page. */
  list(): Promise<TraceRow[]>;
  read(id: string): Promise<Trace>;
  /** The project's only trace; throws where there is none, or another. */
  onlyTrace(): Promise<Trace>;
}

/** Starts a server for all tests of the file that calls it, and gives each of them a person with a project of their own. */
export function sceneOfEachTest(): Scene {
  let begun: Pick<Scene, 'server' | 'person' | 'project'> | undefined;
  const now = () => {
    if (begun === undefined) throw new Error('The scene is there in tests and their hooks only.');
    return begun;
  };
  let server: TestServer | undefined;
  beforeAll(async () => {
    const started = await startServer();
    server = started;
    return () => started.stop();
  });
  beforeEach(async () => {
    if (server === undefined) return;
    const person = await signUp(server);
    begun = { server, person, project: await makeProject(person) };
  });
  const list = async () => {
    const { person, project } = now();
    return (await person.client.call(routes.traces.list, { query: { projectId: project.id } })).traces;
  };
  const read = async (id: string) =>
    (await now().person.client.call(routes.traces.read, { params: { id } })).trace;
  return {
    get server() {
      return now().server;
    },
    get person() {
      return now().person;
    },
    get project() {
      return now().project;
    },
    list,
    read,
    async onlyTrace() {
      const rows = await list();
      const [row] = rows;
      if (row === undefined || rows.length > 1)
        throw new Error(`The project has ${rows.length} traces, not one.`);
      return read(row._id);
    },
  };
}
