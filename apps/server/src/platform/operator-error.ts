/** An error that the operator can fix. Its message says what is wrong and what to do, and is printed without a stack. */
export class OperatorError extends Error {}
