import Router from '@koa/router';
import { findStop } from '../timetable/stops.mjs';
import { departureBoard } from './departure-board.mjs';
import { readQuery } from './query.mjs';

export const boards = new Router({ prefix: '/stops' });

boards.get('/:stop/departures', async (ctx) => {
  const stop = await findStop(ctx.params.stop);
  const query = readQuery(ctx.query);
  const departures = await departureBoard(stop, query);
  ctx.set('cache-control', 'public, max-age=20');
  ctx.body = {
    stop: stop.name,
    at: query.at,
    departures: departures.slice(0, query.limit),
    generatedAt: new Date().toISOString(),
  };
});
