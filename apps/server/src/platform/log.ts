import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Keys whose values are redacted in the first levels of any logged object. */
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

/** Creates the process's log, which writes one JSON line per event and redacts secrets. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths, censor: '‹redacted›' },
    base: null,
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Describes an error without the values of the failed query, such as password hashes, addresses and encrypted
 * keys.
 */
function describeError(error: Error): object {
  const { params: _params, ...described } = pino.stdSerializers.err(error);
  return {
    ...described,
    message: described.message.replace(/\nparams:[\s\S]*/, ''),
    stack: described.stack.replace(/\nparams:[\s\S]*?(?=\n {4}at )/g, ''),
  };
}
