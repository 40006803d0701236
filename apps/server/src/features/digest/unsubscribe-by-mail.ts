import type { FastifyInstance } from 'fastify';

/** Maximum size of the request's body. Mail programs send a few bytes. */
const MAX_BODY_BYTES = 10_000;

/**
 * Accepts the POST of a mail program whose user pressed *Unsubscribe* (RFC 8058). The token alone decides, so the body is not read: mail
 * programs send the body as a form, in one of two encodings. A wrong token is refused before the store is queried, so the path needs no
 * rate limit. A rate limit would stop mail providers, which send the requests of many users from the same IP address.
 */
export function registerOneClick(app: FastifyInstance, unsubscribe: (token: string) => Promise<void>): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    scope.post<{ Params: { token: string } }>(
      '/unsubscribe/:token',
      { bodyLimit: MAX_BODY_BYTES },
      async (request, reply) => {
        await unsubscribe(request.params.token);
        return reply.type('text/plain; charset=utf-8').send('You will get no more weekly digests.\n');
      },
    );
  });
}
