export { createCheckedClient, refusal } from './client.ts';
export { createFakeClock, type FakeClock } from './clock.ts';
export { putControlStore } from './control-folder.ts';
export { logIn, type Person, signUp } from './people.ts';
export { startPostgres, type TestPostgres } from './postgres.ts';
export { type ServerProcess, type ServerProcessOptions, spawnServer } from './process.ts';
export { makeProject, type TestProject } from './projects.ts';
export { startServer, type TestServer, type TestServerOptions } from './server.ts';
export { aTrace, sendTraces } from './traces.ts';
