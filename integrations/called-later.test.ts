import { Collector } from '@throughline/testkit/collector';
import type { PostedTrace } from '@throughline/testkit/posted';
import { startPostgres, type TestPostgres } from '@throughline/testkit/postgres';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import type { SmallServer } from './harness/servers/listen.ts';
import { startMongo } from './harness/servers/mongo.ts';
import { tree } from './harness/trees.ts';

const collector = new Collector();
let collectorAddress: string;
beforeAll(async () => {
  collectorAddress = await collector.start();
});
afterAll(() => collector.stop());

/** Steps that this test ignores: the promises' own callbacks, and Sequelize's setup of a new connection. */
const LEFT_OUT = ['new Promise() callback', 'SET'];

function treeOfOwn(trace: PostedTrace): unknown[] {
  const flow = trace.flow.filter(({ stepName }) => !LEFT_OUT.includes(stepName));
  return tree({ ...trace, flow });
}

const LOOK_UP = ['isFreeName', 'lookUp'];

describe('validators and listeners of a service without a database', () => {
  let app: App;
  let url: string;
  beforeAll(async () => {
    app = new App('called-later/app.js', { collector: collectorAddress });
    url = await app.ready();
  });
  afterAll(async () => {
    await app.stop();
    expect(app.stderr).toBe('');
  });

  test.each(
    pickRows(
      [
        // express-validator's middleware calls its validators.
        ['/express-validator', ['jsonParser', ['middleware', LOOK_UP, 'trimName'], 'answer']],
        ['/zod', ['jsonParser', ['answer', ['parseWithZod', LOOK_UP]]]],
        ['/prepared', ['jsonParser', 'prepare', ['answer', ['parsePrepared', ['isAllowed', 'lookUp']]]]],
        ['/joi', ['jsonParser', ['answer', ['parseWithJoi', LOOK_UP]]]],
        ['/class-validator', ['jsonParser', ['answer', ['validateOrder', 'new Order', LOOK_UP]]]],
        [
          '/emitter',
          ['jsonParser', ['answer', ['place', ['sendMail', 'lookUp', 'lookUp().then() callback']]]],
        ],
      ],
      { usually: 3 },
    ),
  )(
    '%s: functions that the library calls are below the step that called the library, from the first request on',
    async (path, expected) => {
      const body = JSON.stringify({ name: 'ada' });
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(answer.status).toBe(200);
      expect(treeOfOwn(await collector.trace(path))).toEqual(expected);
    },
  );
});

describe('functions that ORMs call as hooks', () => {
  let postgres: TestPostgres;
  let mongo: SmallServer;
  let app: App;
  let url: string;
  beforeAll(async () => {
    [postgres, mongo] = await Promise.all([startPostgres(), startMongo()]);
    app = new App('called-later/orms.js', {
      collector: collectorAddress,
      env: {
        POSTGRES: await postgres.createDatabase('shop'),
        MONGO: `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`,
      },
    });
    url = await app.ready();
  });
  afterAll(async () => {
    await app.stop('SIGKILL');
    mongo.stop();
    await postgres.stop();
  });

  const LISTEN_TO = Array<string>(3).fill('BookSubscriber.listenTo');
  const below = {
    sequelize: [
      'isShort',
      ['beforeCreate', 'audit'],
      'INSERT orders',
      ['afterCreate', 'audit'],
      'SELECT orders',
      ['afterFind', 'audit'],
    ],
    typeorm: [
      'START',
      ...LISTEN_TO,
      ['BookSubscriber.beforeInsert', 'audit'],
      'to',
      'INSERT book',
      ...LISTEN_TO,
      ['BookSubscriber.afterInsert', 'audit'],
      'COMMIT',
      'SELECT book',
      'fromRow',
      ...LISTEN_TO,
      'BookSubscriber.afterLoad',
    ],
    mongoose: [
      ['isName', 'audit'],
      ['beforeSave', 'audit'],
      'insert cats',
      ['afterSave', 'audit'],
      'readLoud',
      'beforeFind',
      'find cats',
      ['afterFind', 'audit'],
    ],
  };

  test.each(Object.entries(below))('(%s) are below the function that called the ORM', async (name, steps) => {
    const answer = await fetch(`${url}/${name}`);
    expect(answer.status).toBe(200);
    expect(treeOfOwn(await collector.trace(`/${name}`))).toEqual([
      ['serve', ['handle', [`shop.${name}`, ...steps]]],
    ]);
  });

  test('are in the trace of their own request if requests are concurrent', async () => {
    const names = Object.keys(below).flatMap((name) => Array.from({ length: 5 }, () => name));
    await Promise.all(names.map(async (name, index) => (await fetch(`${url}/${name}?${index}`)).text()));
    for (const [name, steps] of Object.entries(below)) {
      for (const trace of await collector.awaitTraces(`/${name}`, 6)) {
        expect(treeOfOwn(trace)).toEqual([['serve', ['handle', [`shop.${name}`, ...steps]]]]);
      }
    }
  });
});
