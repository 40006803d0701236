import type { Nodes } from './paths.ts';

/**
 * The surroundings of a value. Among `credentials`, strings are hidden, except `shown` ones, whose names denote a user, role or expiry. In
 * a `session`, the id itself is a credential. Below a name that is `likely` that of a secret, strings that look like secrets are hidden.
 * Below an `owner`, the members `key` and `code` are secrets, as in `{mfa: {code: '482913'}}`; below a `key owner` or `api`, only `key` is.
 */
export type Within =
  | 'nothing'
  | 'credentials'
  | 'shown'
  | 'session'
  | 'likely'
  | 'owner'
  | 'key owner'
  | 'api';

export interface Place {
  readonly nodes: Nodes;
  readonly depth: number;
  readonly within: Within;
}

/** The place of a value that no rule with a path names. */
export const NOWHERE: Place = { nodes: undefined, depth: 0, within: 'nothing' };
