import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The measurements of one minute of a soak. */
export interface Minute {
  readonly memoryBytes: number;
  /** Number of files in the data folder. */
  readonly files: number;
  readonly bytes: number;
  readonly acknowledgedMs: readonly number[];
  readonly readMs: readonly number[];
}

/** Returns the current memory of a process in bytes. */
export function readMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Counts the files in a folder at any depth, and adds up their sizes. Skips files that are deleted meanwhile. */
export async function measureSize(
  folder: string,
): Promise<{ readonly files: number; readonly bytes: number }> {
  // The store deletes files concurrently, so a folder or file can be gone when it is read.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return measureSize(path);
      const size = entry.isFile() ? await stat(path).catch(() => undefined) : undefined;
      return size === undefined ? { files: 0, bytes: 0 } : { files: 1, bytes: size.size };
    }),
  );
  return {
    files: sizes.reduce((sum, { files }) => sum + files, 0),
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

export function percentile(values: readonly number[], share: number): number {
  const inOrder = [...values].sort((one, other) => one - other);
  return inOrder[Math.ceil(inOrder.length * share) - 1] ?? Number.NaN;
}

/**
 * Measurements that must stay flat. A measurement is flat if its late value is at most `share` times the early value. It is also flat if it
 * grew by at most `amount`, because such a small growth is noise.
 */
const FLAT: readonly {
  readonly name: string;
  readonly of: (minute: Minute) => number;
  readonly share: number;
  readonly amount: number;
}[] = [
  { name: 'memory, MB', of: ({ memoryBytes }) => memoryBytes / 1e6, share: 1.25, amount: 100 },
  { name: 'files', of: ({ files }) => files, share: 1.5, amount: 500 },
  {
    name: 'acknowledged, p50 ms',
    of: ({ acknowledgedMs }) => percentile(acknowledgedMs, 0.5),
    share: 1.5,
    amount: 100,
  },
  {
    name: 'acknowledged, p99 ms',
    of: ({ acknowledgedMs }) => percentile(acknowledgedMs, 0.99),
    share: 2,
    amount: 300,
  },
  { name: 'read, p50 ms', of: ({ readMs }) => percentile(readMs, 0.5), share: 1.5, amount: 30 },
  { name: 'read, p95 ms', of: ({ readMs }) => percentile(readMs, 0.95), share: 2, amount: 150 },
];

export interface Verdict {
  readonly name: string;
  readonly early: number;
  readonly late: number;
  readonly flat: boolean;
}

/**
 * Checks that the flat measurements stayed flat. Compares the median of the last third of the minutes with the median of the first third
 * after the warm-up. The warm-up takes a sixth of the minutes, and at least two. Returns undefined if fewer than six minutes remain after
 * the warm-up.
 */
export function judge(minutes: readonly Minute[]): readonly Verdict[] | undefined {
  const warm = minutes.slice(Math.max(2, Math.ceil(minutes.length / 6)));
  const third = Math.floor(warm.length / 3);
  if (third < 2) return undefined;
  return FLAT.map(({ name, of, share, amount }) => {
    const early = percentile(warm.slice(0, third).map(of), 0.5);
    const late = percentile(warm.slice(-third).map(of), 0.5);
    return { name, early, late, flat: late <= early * share || late <= early + amount };
  });
}
