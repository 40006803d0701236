/** Number of pairs of blocks in a round. A block is a group of traces that is measured as a whole. */
const BLOCKS = 30;

/**
 * Returns, for each round, what a feature adds to the cost of a block of traces: the median of the differences between two blocks, one with
 * and one without the feature. The block with the feature is alternately the first and the second of its pair. `measureBlock` returns the
 * cost of one block.
 */
export function findAddedCost(rounds: number, measureBlock: (isOn: boolean) => number): number[] {
  return Array.from({ length: rounds }, () => {
    const added = Array.from({ length: BLOCKS }, (_, block) => {
      const isFirstOn = block % 2 === 0;
      const [first, second] = [measureBlock(isFirstOn), measureBlock(!isFirstOn)];
      return isFirstOn ? first - second : second - first;
    });
    return added.sort((a, b) => a - b)[Math.floor(BLOCKS / 2)] ?? Number.NaN;
  });
}
