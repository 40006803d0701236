/** True if a query failed because of a unique constraint, given by name. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    typeof cause === 'object' && cause !== null && 'constraint' in cause && cause.constraint === constraint
  );
}
