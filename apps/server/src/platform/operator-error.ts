/**
 * An error that the operator can fix. Its message explains the problem and the fix, and is printed without a
 * stack.
 */
export class OperatorError extends Error {}
