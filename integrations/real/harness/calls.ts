/** Formats a step and the steps that it called, as `printFlow` does. */
export function calls(step: string, ...called: readonly string[]): string {
  return [step, ...called.map((one) => one.replace(/^/gm, '  '))].join('\n');
}

/** Returns the step `count` times. */
export function repeat(count: number, step: string): string[] {
  return Array.from({ length: count }, () => step);
}
