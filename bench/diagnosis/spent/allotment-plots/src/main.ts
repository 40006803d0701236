import express, { type ErrorRequestHandler } from 'express';
import { MemoryCache } from './memory-cache.ts';
import { PlotRepository } from './plot-repository.ts';
import { PlotService } from './plot-service.ts';
import { toCard } from './plot-card.ts';

export function createApp() {
  const service = new PlotService(new PlotRepository(), new MemoryCache(300_000));
  const app = express().use(express.json());

  app.get('/plots/:id', async ({ params }, response) => {
    response.json(toCard(await service.plot(params.id)));
  });

  app.patch('/plots/:id', async ({ params, body }, response) => {
    response.json(toCard(await service.change(params.id, body)));
  });

  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json({ error: error.message });
  };
  return app.use(onError);
}
