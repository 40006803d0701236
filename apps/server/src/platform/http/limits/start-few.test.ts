import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { startFewAtOnce } from './start-few.ts';

const REQUESTS = 100;

test('only a few concurrent requests start per event-loop turn, but health checks start immediately', async () => {
  const app = Fastify();
  startFewAtOnce(app, 5);
  const begun: string[] = [];
  const beforeTurn: number[] = [];
  app.get('*', async ({ url }) => {
    begun.push(url);
    return { url };
  });
  await app.ready();
  let over = false;
  const watch = () => {
    beforeTurn.push(begun.length);
    if (!over) setImmediate(watch);
  };
  const answers = Array.from({ length: REQUESTS }, (_, at) => app.inject(`/calls/${at}`));
  answers.push(app.inject('/api/health/live'));
  setImmediate(watch);
  const urls = (await Promise.all(answers)).map((answer) => answer.json().url);
  over = true;
  expect(urls).toEqual([...Array.from({ length: REQUESTS }, (_, at) => `/calls/${at}`), '/api/health/live']);
  expect(begun).toHaveLength(REQUESTS + 1);
  // Only the first few requests started before the health check.
  expect(begun.indexOf('/api/health/live')).toBeLessThanOrEqual(10);
  const steps = beforeTurn.slice(1).map((count, at) => count - (beforeTurn[at] ?? 0));
  // The health check, and the requests of up to two turns, can begin between two observations.
  expect(Math.max(...steps)).toBeLessThanOrEqual(11);
  await app.close();
});
