/** What Node and PostgreSQL (class 08, 57P01–57P03) call it when the other side of a connection is not there. */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08\w{3}|57P0[123])$/;
/** What pg says of it, without a code. */
const WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const DEEPEST = 5;

/** Whether an error, or what caused it, is that a store could not be reached: nothing is wrong with the call, and later it may work. */
export function isUnreachable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth += 1) {
    if (WORDS.test(current.message)) return true;
    if ('code' in current && typeof current.code === 'string' && CODES.test(current.code)) return true;
    current = current.cause;
  }
  return false;
}
