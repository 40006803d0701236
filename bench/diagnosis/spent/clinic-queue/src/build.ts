import fastify from 'fastify';
import { ClinicStore } from './clinic-store.ts';
import { WaitEstimator } from './wait-estimator.ts';

export function build() {
  const app = fastify();
  const store = new ClinicStore();
  const estimator = new WaitEstimator(store);

  app.get<{ Params: { id: string }; Querystring: { position?: string } }>(
    '/clinics/:id/wait',
    async ({ params, query }, reply) => {
      const clinic = await store.find(params.id);
      if (!clinic) return reply.code(404).send({ error: `no clinic ${params.id}` });
      return estimator.estimate(clinic, Number(query.position ?? 1));
    },
  );

  return app;
}
