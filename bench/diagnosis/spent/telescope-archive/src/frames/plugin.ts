import type { FastifyInstance } from 'fastify';
import { FrameQuery } from './frame-query.ts';
import { caption } from './caption.ts';
import { targetOf } from './observatory.ts';
import { viewFor, type ViewParams } from './view.ts';

export async function framesPlugin(app: FastifyInstance): Promise<void> {
  app.get<{ Params: { target: string }; Querystring: ViewParams }>(
    '/:target/frames',
    async (request, reply) => {
      const target = await targetOf(request.params.target.toUpperCase());
      if (target === null) return reply.code(404).send({ error: 'this target was never observed' });
      const view = viewFor(request.query);
      const query = new FrameQuery(target).inBands(view.filter.bands).withSeeingUpTo(view.filter.maxSeeing);
      const frames = await query.newest(view.limit);
      return { target: target.name, count: frames.length, frames: frames.map((frame) => caption(frame)) };
    },
  );
}
