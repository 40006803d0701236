/**
 * Minimum number of distinct messages in a group. In a smaller group, the words that differ can name different errors instead of values.
 */
const MIN_MESSAGES = 5;
/**
 * Groups are only found among this number of messages. Other messages can only join these groups. Comparing thousands of messages with each
 * other would block the server for seconds.
 */
export const MAX_COMPARED = 200;
/** A message is compared with at most this number of groups with the same first word, and this number with the same last word. */
const MAX_CANDIDATES = 50;
const VALUE = '…';

export interface SimilarMessages<Item> {
  /** The words that all messages share, with … for the other words. */
  readonly pattern: string;
  readonly items: readonly Item[];
}

/**
 * Finds messages that differ only in some words, such as names of people. The words in common are at the same positions, or at the
 * beginning and the end. They are at least `minShared` words, and at least half of the words of each message. Numbers, ids and quoted texts
 * have already been replaced by …, which never counts as a shared word. Messages that are similar to fewer than four others are left out.
 * If there are many messages, the first ones are compared, so the most important ones must come first.
 */
export function findSimilarMessages<Item extends { readonly message: string }>(
  items: readonly Item[],
  minShared: number,
): SimilarMessages<Item>[] {
  const groups = clusterMessages(items.slice(0, MAX_COMPARED), minShared).filter(
    (cluster) => new Set(cluster.items.map(({ message }) => message)).size >= MIN_MESSAGES,
  );
  if (groups.length === 0) return [];
  for (const item of items.slice(MAX_COMPARED)) {
    const text = readText(item.message);
    groups.some((cluster) => join(cluster, item, text, minShared));
  }
  return groups.map((group) => ({ pattern: formatPattern(group), items: group.items }));
}

interface Text {
  readonly words: readonly string[];
  /** The number of words, without each … that replaces a value. */
  readonly size: number;
}

/** The words of a cluster's first message that all messages of the cluster share. */
interface Shared {
  /** The positions of the words. Undefined if the messages have different numbers of words. */
  readonly positions: readonly number[] | undefined;
  /** The numbers of shared words at the beginning and at the end of the messages. */
  readonly begin: number;
  readonly end: number;
}

interface Cluster<Item> {
  /** The words of the cluster's first message. */
  readonly words: readonly string[];
  readonly items: Item[];
  shared: Shared;
  /** The number of words of the cluster's shortest message. */
  shortest: number;
  /** The largest `size` of the cluster's messages. */
  largest: number;
}

/** Adds each message to the first cluster with enough words in common, or to a new cluster. */
function clusterMessages<Item extends { readonly message: string }>(
  items: readonly Item[],
  minShared: number,
): Cluster<Item>[] {
  const clusters: Cluster<Item>[] = [];
  // A message is only compared with clusters whose first message begins or ends with the same word.
  const byEnd = new Map<string, Cluster<Item>[]>();
  for (const item of items) {
    const text = readText(item.message);
    const { words, size } = text;
    const ends = [`^${words[0]}`, `${words.at(-1)}$`];
    const isJoined = ends.some((end) =>
      byEnd.get(end)?.some((cluster) => join(cluster, item, text, minShared)),
    );
    if (isJoined) continue;
    const { length } = words;
    const shared = { positions: [...words.keys()], begin: length, end: length };
    const cluster = { words, items: [item], shared, shortest: length, largest: size };
    clusters.push(cluster);
    for (const end of ends) {
      const known = byEnd.get(end);
      if (known === undefined) byEnd.set(end, [cluster]);
      else if (known.length < MAX_CANDIDATES) known.push(cluster);
    }
  }
  return clusters;
}

/** Adds a message to a cluster if the cluster's messages then still share enough words. */
function join<Item>(cluster: Cluster<Item>, item: Item, text: Text, minShared: number): boolean {
  const largest = Math.max(cluster.largest, text.size);
  const shortest = Math.min(cluster.shortest, text.words.length);
  const least = Math.max(minShared, Math.ceil(largest / 2));
  const shared = findShared(cluster, text.words, shortest, least);
  if (shared === undefined || countWords(selectShared(cluster.words, shared)) < least) return false;
  Object.assign(cluster, { shared, shortest, largest });
  cluster.items.push(item);
  return true;
}

/** Returns undefined if fewer than `least` words are shared. This is the usual case, so nothing is copied before this is known. */
function findShared<Item>(
  { words: known, shared }: Cluster<Item>,
  words: readonly string[],
  shortest: number,
  least: number,
): Shared | undefined {
  let begin = 0;
  while (begin < shared.begin && known[begin] === words[begin]) begin += 1;
  // A word of the shortest message must not count both as a word of the beginning and as a word of the end.
  const mostAtEnd = Math.min(shared.end, shortest - begin);
  let end = 0;
  while (end < mostAtEnd && known[known.length - 1 - end] === words[words.length - 1 - end]) end += 1;
  if (shared.positions === undefined || known.length !== words.length)
    return begin + end < least ? undefined : { positions: undefined, begin, end };
  let mayDiffer = shared.positions.length - least;
  for (const at of shared.positions) {
    if (known[at] !== words[at]) mayDiffer -= 1;
    if (mayDiffer < 0) return undefined;
  }
  return { positions: shared.positions.filter((at) => known[at] === words[at]), begin, end };
}

function selectShared(words: readonly string[], { positions, begin, end }: Shared): string[] {
  if (positions !== undefined) return positions.flatMap((at) => words[at] ?? []);
  return [...words.slice(0, begin), ...words.slice(words.length - end)];
}

function readText(message: string): Text {
  const words = message.split(/\s+/).filter((word) => word !== '');
  return { words, size: countWords(words) };
}

function countWords(words: readonly string[]): number {
  return words.filter((word) => !word.includes(VALUE)).length;
}

function formatPattern<Item>({ words, shared: { positions, begin, end } }: Cluster<Item>): string {
  const shared = new Set(positions);
  const pattern =
    positions === undefined
      ? [...words.slice(0, begin), VALUE, ...words.slice(words.length - end)]
      : words.map((word, at) => (shared.has(at) ? word : VALUE));
  return pattern.filter((word, at) => word !== VALUE || pattern[at - 1] !== VALUE).join(' ');
}
