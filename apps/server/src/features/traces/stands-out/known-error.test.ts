import { routes } from '@throughline/contract';
import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';
import { type SentError, startErrorScene } from '../../errors/fixtures/error-scene.ts';

const file = serverOfFile();

const MESSAGE = "Cannot read properties of undefined (reading 'id')";
const TAX = { function: 'taxFor', file: 'src/tax.ts' };
const PRICE = { function: 'priceOf', file: 'src/price.ts' };
const NEW = 'This error is new: no other request failed with it in the previous 7 days';

/** Sends three requests that failed in one function, and then one that failed with the same message in another function. */
async function aScene(...more: readonly SentError[]) {
  const scene = await startErrorScene(file.server);
  const { client } = scene.person;
  const thrown = (hoursAgo: number, thrownIn: SentError['thrownIn']) => ({
    ...{ message: MESSAGE, hoursAgo },
    ...(thrownIn && { thrownIn }),
  });
  await scene.send(thrown(5, TAX), thrown(4, TAX), thrown(3, TAX), thrown(2, PRICE), ...more);
  const { traces } = await client.call(routes.traces.list, { query: { projectId: scene.project.id } });
  return {
    ...scene,
    /** Returns the sentences about the errors of the newest requests. */
    async describe(count: number) {
      const described = traces.slice(0, count).map(async ({ _id: id }) => {
        const { statements } = await client.call(routes.traces.standsOut, { params: { id } });
        return statements.find(({ rule }) => rule === 'known_error')?.text;
      });
      return Promise.all(described);
    },
    merge: (errorId: string, ...errorIds: string[]) =>
      client.call(routes.errors.merge, { params: { id: scene.project.id, errorId }, body: { errorIds } }),
  };
}

test('an error is new if only other functions threw its message before, also before the error is split by function', async () => {
  const scene = await aScene();
  const expected = [NEW, 'This error occurred 3 times in 7 days'];
  expect(await scene.describe(2)).toEqual(expected);
  expect(await scene.list()).toHaveLength(2);
  expect(await scene.describe(2)).toEqual(expected);
});

test('failed requests whose function is unknown count as requests with the error', async () => {
  const scene = await aScene({ message: MESSAGE, hoursAgo: 3.5 });
  expect((await scene.describe(2))[1]).toBe('This error occurred 4 times in 7 days');
});

test('errors that users merged count as one error', async () => {
  const scene = await aScene();
  const [price, tax] = await scene.list();
  await scene.merge(tax?.id ?? '', price?.id ?? '');
  expect(await scene.describe(1)).toEqual(['This error occurred 4 times in 7 days']);
});
