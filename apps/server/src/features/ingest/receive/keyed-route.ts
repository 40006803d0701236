import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../../../platform/http/errors.ts';
import { discardRest } from '../../../platform/http/limits/discard-rest.ts';
import type { IngestProject } from '../../projects/index.ts';

/** The part of the ingest service that checks API keys and counts refused batches. */
interface KeyCheck {
  projectOf(headers: IncomingHttpHeaders): Promise<IngestProject>;
  refused(error: unknown): void;
}

export interface KeyedRoute {
  readonly url: string;
  readonly ingest: KeyCheck;
  /** Returns the response to send. The body has not been read yet when this is called. */
  readonly handle: (request: FastifyRequest, project: IngestProject, reply: FastifyReply) => Promise<unknown>;
  /** Sends errors in a format other than Throughline's own. */
  readonly onError?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

/** Registers a POST route that requires a project's API key. The key is checked before the body is read. Every refused batch is counted. */
export async function registerKeyedRoute(app: FastifyInstance, route: KeyedRoute): Promise<void> {
  const projects = new WeakMap<FastifyRequest, IngestProject>();
  const openByKey = async (request: FastifyRequest): Promise<void> => {
    projects.set(request, await route.ingest.projectOf(request.headers));
  };
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const project = projects.get(request);
    if (project === undefined) throw new Error('the API key of a batch was not checked');
    reply.send(await route.handle(request, project, reply));
    await reply;
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.setErrorHandler((error, request, reply) => {
      route.ingest.refused(error);
      (route.onError ?? sendError)(error, request, reply);
      discardRest(request.raw);
    });
    scope.route({
      method: 'POST',
      url: route.url,
      config: { anyHost: true },
      onRequest: openByKey,
      handler: handle,
    });
  });
}
