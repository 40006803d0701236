/** SQL that groups requests by hour and by histogram bucket, for all insights. */
import { BUCKET_RATIO } from './distributions.ts';

/** Selects the hour since the epoch in which a request began. */
export const HOUR = 'toUInt32(intDiv(toUnixTimestamp64Micro(start_time), 3600000000))';

/** Selects the bucket of a value, such as a duration in microseconds. */
export function selectBucket(value: string): string {
  return `toUInt32(floor(log(${value} + 1) / log(${BUCKET_RATIO})))`;
}
