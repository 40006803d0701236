/** A moment to mark in charts over time, such as a release's first request. */
export interface TimeMark {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly name: string;
}

/** The marks of a chart and the range of time that the chart covers, in epoch milliseconds. */
export interface MarkedRange {
  readonly marks: readonly TimeMark[];
  readonly from: number;
  readonly to: number;
  readonly format: (ms: number) => string;
}

/** Maximum number of marks in a chart. If there are more, the chart has only the latest. */
const MAX_MARKS = 12;

/** Returns the marks within a range of time, oldest first. Of more than `MAX_MARKS`, returns only the latest. */
export function findMarksWithin(
  marks: readonly TimeMark[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly TimeMark[] {
  return marks
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at)
    .slice(-MAX_MARKS);
}

/** Describes marks for readers who do not see the chart. */
export function describeMarks(marks: readonly TimeMark[], format: (ms: number) => string): string {
  return `Releases: ${marks.map(({ at, name }) => `${name} since ${format(at)}`).join(', ')}`;
}
