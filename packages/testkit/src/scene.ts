import { routes, type Trace, type TraceRow } from '@throughline/contract';
import { beforeAll, beforeEach } from 'vitest';
import { type Person, signUp } from './people/people.ts';
import { makeProject, type TestProject } from './people/projects.ts';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';

/** A server with an account, a project and its key. Sufficient for most tests of traces. */
export interface Scene {
  readonly server: TestServer;
  /** A newly registered person. */
  readonly person: Person;
  /** The person's only project. */
  readonly project: TestProject;
  /** Returns one page of the project's traces, the newest first. */
  list(): Promise<TraceRow[]>;
  read(id: string): Promise<Trace>;
  /** Returns the project's only trace. Throws if there is not exactly one trace. */
  onlyTrace(): Promise<Trace>;
}

/** Starts a server for all tests of the calling file. */
export function serverOfFile(options?: TestServerOptions): { readonly server: TestServer } {
  let running: TestServer | undefined;
  beforeAll(async () => {
    const started = await startServer(options);
    running = started;
    return () => started.stop();
  });
  return {
    get server() {
      return there(running);
    },
  };
}

/** Registers a person with a project. */
export async function newcomer(
  server: TestServer,
): Promise<{ readonly person: Person; readonly project: TestProject }> {
  const person = await signUp(server);
  return { person, project: await makeProject(person) };
}

/** Starts a server for all tests of the calling file, and creates a new person and project for each test. */
export function sceneOfEachTest(options?: TestServerOptions): Scene {
  return scene(beforeEach, options);
}

/** Like `sceneOfEachTest`, but all tests of the file share one person and project. */
export function sceneOfFile(options?: TestServerOptions): Scene {
  return scene(beforeAll, options);
}

function scene(before: typeof beforeEach | typeof beforeAll, options?: TestServerOptions): Scene {
  const file = serverOfFile(options);
  let begun: Awaited<ReturnType<typeof newcomer>> | undefined;
  before(async () => {
    begun = await newcomer(file.server);
  });
  const list = async () => {
    const { person, project } = there(begun);
    return (await person.client.call(routes.traces.list, { query: { projectId: project.id } })).traces;
  };
  const read = async (id: string) =>
    (await there(begun).person.client.call(routes.traces.read, { params: { id } })).trace;
  return {
    get server() {
      return file.server;
    },
    get person() {
      return there(begun).person;
    },
    get project() {
      return there(begun).project;
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

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The scene is there in tests and their hooks only.');
  return part;
}
