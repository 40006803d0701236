import { Hono } from 'hono';
import { onAir } from './guide/on-air.ts';
import { stationOf } from './stations/stations.ts';

const app = new Hono();

app.get('/stations/:id', async (c) => {
  const station = await stationOf(c.req.param('id'));
  return station ? c.json({ name: station.name, zone: station.zone }) : c.notFound();
});

app.get('/stations/:id/on-air', async (c) => {
  const station = await stationOf(c.req.param('id'));
  if (!station) return c.notFound();
  const at = new Date(c.req.query('at') ?? Date.now());
  if (Number.isNaN(at.getTime())) return c.json({ error: 'at is no time' }, 400);
  return c.json(await onAir(station, at));
});

export default app;
