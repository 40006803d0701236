/** Codes of Node and PostgreSQL (class 08, 57P01–57P03) for a connection whose other side is gone. */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08\w{3}|57P0[123])$/;
/** Messages of pg for it, without a code. */
const WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const DEEPEST = 5;

/** Returns true where an error, or its cause, is that a store could not be reached. The call is not at fault, and can work later. */
export function isUnreachable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth += 1) {
    if (WORDS.test(current.message)) return true;
    if ('code' in current && typeof current.code === 'string' && CODES.test(current.code)) return true;
    current = current.cause;
  }
  return false;
}
