import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Keys whose values never reach the log, wherever in a logged object's first levels they stand. */
const SECRET_KEYS = [
  'password',
  'newPassword',
  'token',
  'apiKey',
  'secret',
  'secretKey',
  'authorization',
  'cookie',
  '["x-api-key"]',
];

const paths = SECRET_KEYS.flatMap((key) => {
  const member = key.startsWith('[') ? key : `.${key}`;
  return [key, `*${member}`, `*.*${member}`];
});

/** The process's log: one JSON line an event, secrets replaced. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths, censor: '‹redacted›' },
    base: null,
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** An error without the values of the query that failed: those are passwords' hashes, addresses, sealed keys. */
function describeError(error: Error): object {
  const { params: _params, ...described } = pino.stdSerializers.err(error);
  return {
    ...described,
    message: described.message.replace(/\nparams:[\s\S]*/, ''),
    stack: described.stack.replace(/\nparams:[\s\S]*?(?=\n {4}at )/g, ''),
  };
}
