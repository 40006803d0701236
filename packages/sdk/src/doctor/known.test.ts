import { expect, test } from 'vitest';
import { connectFiles } from '../frameworks/connect.ts';
import { expressFiles } from '../frameworks/express/files.ts';
import { graphqlFiles } from '../frameworks/graphql/files.ts';
import { hapiFiles } from '../frameworks/hapi/files.ts';
import { honoFiles } from '../frameworks/hono.ts';
import { koaFiles } from '../frameworks/koa.ts';
import { nestFiles } from '../frameworks/nest.ts';
import { driverFiles } from '../libraries/drivers/files.ts';
import { instrumented } from '../libraries/known.ts';
import { known } from './known.ts';

/** Packages that are only installed as part of another package. */
const parts: Readonly<Record<string, string>> = {
  router: 'express',
  'koa-compose': 'koa',
  'better-sqlite3-multiple-ciphers': 'better-sqlite3',
};

test("the doctor's list contains each framework and library that the SDK instruments", () => {
  const frameworks = [
    expressFiles,
    connectFiles,
    koaFiles,
    hapiFiles,
    honoFiles,
    nestFiles,
    driverFiles,
    graphqlFiles,
  ].flat();
  const watched = [...frameworks.flatMap(({ packages }) => packages), ...Object.keys(instrumented)];
  expect(watched.length).toBeGreaterThan(12);
  for (const name of watched) expect([...known.keys()]).toContain(parts[name] ?? name);
});
