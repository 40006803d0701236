import type { Nodes } from './paths.ts';

/**
 * The surroundings of a value. `credentials`: strings are hidden. `shown`: a string among credentials stays, because its name denotes a
 * user, role or expiry. `session`: the id is a credential. `likely`: strings that look like secrets are hidden. `owner`: the members `key`
 * and `code` are hidden if they look like secrets, as in `{mfa: {code: '482913'}}`. `key owner` and `api`: like `owner`, but only for the
 * member `key`.
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
