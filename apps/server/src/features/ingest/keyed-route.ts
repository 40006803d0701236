import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/http/errors.ts';
import type { IngestProject } from '../projects/index.ts';

export type ProjectByKey = (apiKey: string) => Promise<IngestProject | undefined>;

export interface KeyedRoute {
  readonly url: string;
  readonly byApiKey: ProjectByKey;
  /** What is sent as the answer; the body is still to be read, as bytes. */
  readonly handle: (request: FastifyRequest, project: IngestProject, reply: FastifyReply) => Promise<unknown>;
  /** Where errors are answered in another form than the product's. */
  readonly onError?: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

/** A POST that a project's key opens. The key is checked before the body is read. */
export async function registerKeyedRoute(app: FastifyInstance, route: KeyedRoute): Promise<void> {
  const projects = new WeakMap<FastifyRequest, IngestProject>();
  const openByKey = async (request: FastifyRequest): Promise<void> => {
    const apiKey = apiKeyOf(request.headers);
    const project = apiKey === undefined ? undefined : await route.byApiKey(apiKey);
    if (project === undefined) throw new AppError('invalid_api_key');
    projects.set(request, project);
  };
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const project = projects.get(request);
    if (project === undefined) throw new Error('a batch came past the key check');
    reply.send(await route.handle(request, project, reply));
    await reply;
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    if (route.onError !== undefined) scope.setErrorHandler(route.onError);
    scope.route({ method: 'POST', url: route.url, onRequest: openByKey, handler: handle });
  });
}

/** The project's key among a request's headers. */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-api-key'];
  if (typeof header === 'string') return header.trim();
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}
