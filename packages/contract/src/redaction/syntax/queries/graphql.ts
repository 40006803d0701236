import type { NameVerdict } from '../../names/verdicts.ts';

const BEGINNING = /^\s{0,16}(?:mutation|query|subscription)\b[^{(]{0,200}\(/;
/** An argument or field whose value is a variable: `login(password: $p)`. */
const BOUND = /([A-Za-z_]\w{0,63})\s{0,4}:\s{0,4}\$(\w{1,64})/g;
const MAX_BEGINNING = 240;

/** True if a text begins like an operation of GraphQL with variables. */
export function isOperation(text: string): boolean {
  return BEGINNING.test(text.slice(0, MAX_BEGINNING));
}

/** Finds the variables of an operation that are passed to arguments with a secret's name. */
export function findSecretVariables(text: string, judge: (name: string) => NameVerdict): Set<string> {
  const names = new Set<string>();
  for (const [, argument = '', variable = ''] of text.matchAll(BOUND))
    if (judge(argument) !== 'plain') names.add(variable);
  return names;
}
