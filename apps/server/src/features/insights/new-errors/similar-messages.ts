/**
 * Minimum number of distinct messages in a group. In a smaller group, the words that differ can name different errors instead of values.
 */
const MIN_MESSAGES = 5;
/** Minimum number of words that messages share. The shared words must also be at least half of the words. */
const MIN_SHARED = 2;
const VALUE = '…';

export interface SimilarMessages<Item> {
  /** The words that all messages share, with … for the other words. */
  readonly pattern: string;
  readonly items: readonly Item[];
}

/**
 * Finds messages that differ only in some words, such as names of people. The words in common are at the same positions, or at the
 * beginning and the end. Numbers, ids and quoted texts have already been replaced by …, which never counts as a shared word. Messages that
 * are similar to fewer than four others are left out.
 */
export function findSimilarMessages<Item extends { readonly message: string }>(
  items: readonly Item[],
): SimilarMessages<Item>[] {
  const clusters: Cluster<Item>[] = [];
  // A message is only compared with clusters whose first message begins or ends with the same word.
  const byEnd = new Map<string, Cluster<Item>[]>();
  for (const item of items) {
    const words = item.message.split(/\s+/).filter((word) => word !== '');
    const ends = [`^${words[0]}`, `${words.at(-1)}$`];
    const candidates = new Set(ends.flatMap((end) => byEnd.get(end) ?? []));
    if ([...candidates].some((cluster) => join(cluster, words, item))) continue;
    const cluster = { shape: { same: words, prefix: words, suffix: words }, items: [item] };
    clusters.push(cluster);
    for (const end of ends) byEnd.set(end, [...(byEnd.get(end) ?? []), cluster]);
  }
  return clusters.flatMap(({ shape, items: some }) =>
    new Set(some.map(({ message }) => message)).size < MIN_MESSAGES
      ? []
      : [{ pattern: formatShape(shape), items: some }],
  );
}

/** The words that the messages of a cluster share. */
interface Shape {
  /** The words by position, null where they differ. Undefined if the messages have different numbers of words. */
  readonly same: readonly (string | null)[] | undefined;
  readonly prefix: readonly string[];
  readonly suffix: readonly string[];
}

interface Cluster<Item> {
  shape: Shape;
  readonly items: Item[];
}

/** Adds a message to a cluster if the cluster's messages then still share enough words. */
function join<Item>(cluster: Cluster<Item>, words: readonly string[], item: Item): boolean {
  const { same, prefix, suffix } = cluster.shape;
  const begin = countEqual(prefix, words);
  const end = countEqual(suffix.toReversed(), words.toReversed());
  const shape: Shape = {
    same:
      same?.length === words.length ? same.map((word, at) => (word === words[at] ? word : null)) : undefined,
    prefix: words.slice(0, begin),
    suffix: words.slice(words.length - Math.min(end, words.length - begin)),
  };
  const least = Math.max(MIN_SHARED, Math.ceil(countWords(words) / 2));
  const isSimilar =
    (shape.same !== undefined && countWords(shape.same) >= least) ||
    countWords(shape.prefix) + countWords(shape.suffix) >= least;
  if (!isSimilar) return false;
  cluster.shape = shape;
  cluster.items.push(item);
  return true;
}

function countEqual(some: readonly string[], others: readonly string[]): number {
  const different = some.findIndex((word, at) => word !== others[at]);
  return different === -1 ? some.length : different;
}

function countWords(words: readonly (string | null)[]): number {
  return words.filter((word) => word !== null && !word.includes(VALUE)).length;
}

function formatShape({ same, prefix, suffix }: Shape): string {
  const words = same?.map((word) => word ?? VALUE) ?? [...prefix, VALUE, ...suffix];
  return words.filter((word, at) => word !== VALUE || words[at - 1] !== VALUE).join(' ');
}
