/** Error codes of Node and PostgreSQL (class 08, 57P01–57P03) for a connection to a server that is unavailable. */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08\w{3}|57P0[123])$/;
/** pg's messages for unreachable stores, if the error has no code. */
const WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const DEEPEST = 5;

/** True if an error, or one of its causes, shows that a store is unreachable. The same request can then succeed later. */
export function isUnreachable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth += 1) {
    if (WORDS.test(current.message)) return true;
    if ('code' in current && typeof current.code === 'string' && CODES.test(current.code)) return true;
    current = current.cause;
  }
  return false;
}
