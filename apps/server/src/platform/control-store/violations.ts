/** Returns true where a query failed because a row with the same value exists, by the constraint's name. */
export function violates(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    typeof cause === 'object' && cause !== null && 'constraint' in cause && cause.constraint === constraint
  );
}
