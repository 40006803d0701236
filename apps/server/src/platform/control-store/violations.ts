/** Whether a query failed because a row with the same value is there already, by the constraint's name. */
export function violates(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause !== 'object' || cause === null) return false;
  // PGlite says `constraint`, postgres.js `constraint_name`.
  const { constraint: embedded, constraint_name: served } = cause as {
    readonly constraint?: unknown;
    readonly constraint_name?: unknown;
  };
  return embedded === constraint || served === constraint;
}
