/** Conclusion about a member's value, drawn from the member's name. `plain`: the name implies nothing. */
export type NameVerdict =
  | 'plain'
  /** The value is hidden. */
  | 'secret'
  /** The name matches one of the project's own rules; the value is always hidden. */
  | 'own'
  /**
   * The value is hidden if it looks like a secret. The name contains a word for a secret, but can mean something else: `tokenStandard`,
   * `businessCard`.
   */
  | 'likely'
  /** The value is hidden unless it is a number below ten million. Such a number is a count of secrets: `passwords`. */
  | 'texts'
  /**
   * A string or a number is hidden. In an object or a list, the strings that look like secrets are hidden: `token` can also be an object in
   * a game, and `card` a part of a screen.
   */
  | 'holder'
  /** A long random text is hidden. Every other value is shown: `invite` is also an object, or the name of a campaign. */
  | 'random'
  /** The value is hidden unless it is the number of a customer's account: `accountNumber: 10023`. */
  | 'account'
  /** The value is hidden unless it looks like an id: `tokenId: 'tok_7'`. */
  | 'id'
  /** Like `id`, but only references such as ARNs and numbers of up to three digits are shown: the secret ids of Vault are secrets. */
  | 'secret id'
  /** The value is hidden unless its siblings show an address: a pin code in India is a postal code. */
  | 'postal'
  /** The value is hidden unless it is the name of a header: `apiKeyHeader`. */
  | 'header'
  /** The value is hidden unless it is a number beside other counts: `{pass: 1508, fail: 2}`. */
  | 'outcome'
  /** Like `holder`, for a plural: a number is a count. */
  | 'holders'
  /** A string is hidden. In an object, strings are hidden except ids, roles and dates: `auth`. */
  | 'container'
  /**
   * A string is hidden if it looks like a secret; in an object the id is hidden, and the rest is judged by its own names: `session`.
   */
  | 'session';

/** Verdicts for which the value decides if it is hidden. */
export const DECIDED_BY_VALUE: ReadonlySet<NameVerdict> = new Set<NameVerdict>([
  'likely',
  'account',
  'random',
  'id',
  'secret id',
]);

/** Returns the verdict for rules that do not examine the value. These rules treat `id` like `plain`. */
export function withoutIds(verdict: NameVerdict): NameVerdict {
  return verdict === 'id' ? 'plain' : verdict;
}

/** True for the verdicts on the names of several secrets. A number below ten million under such a name is a count. */
export function isCounted(verdict: NameVerdict): boolean {
  return verdict === 'texts' || verdict === 'holders';
}

/** True if an object or a list below such a name can be something else than a secret. */
export function isHolder(verdict: NameVerdict): boolean {
  return verdict === 'holder' || verdict === 'holders';
}
