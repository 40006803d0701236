export class ServiceError extends Error {
  constructor(statusCode, errors) {
    super(Object.keys(errors).join(', '));
    this.statusCode = statusCode;
    this.errors = errors;
  }
}

export function answerError(error, _request, reply) {
  if (error.validation !== undefined) {
    const errors = Object.fromEntries(
      error.validation.map(({ instancePath, message }) => [
        instancePath.split('/').at(-1) || 'body',
        [message],
      ]),
    );
    return reply.code(422).send({ errors });
  }
  return reply
    .code(error.statusCode ?? 500)
    .send({ errors: error.errors ?? { server: ['could not answer'] } });
}
