import type { TraceSource } from '@throughline/contract';
import type { ProjectId } from '../../../platform/ids.ts';
import { SOURCE_COLUMNS } from '../../../platform/trace-store/index.ts';

const NO_ROWS = Buffer.alloc(0);

/** Builds the value of the column `sources` of a trace: the version of each source file, sorted by path, as JSON. */
export function encodeVersions(sources: readonly TraceSource[] | null | undefined): string {
  if (!sources?.length) return '';
  const versions = sources.map(({ file, version }) => [file.toWellFormed(), version] as const);
  return JSON.stringify(Object.fromEntries(versions.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Builds the rows of the redacted source code that came with a trace. */
export function encodeSourceRows(
  sources: readonly TraceSource[] | null | undefined,
  projectId: ProjectId,
  nowMicros: bigint,
): Buffer {
  const rows = (sources ?? []).flatMap(({ file, version, functions = [] }) =>
    functions.map(
      ({ line, text }) =>
        `${SOURCE_COLUMNS.write({ projectId, file, version, line, text, storedMicros: nowMicros })}\n`,
    ),
  );
  return rows.length === 0 ? NO_ROWS : Buffer.from(rows.join(''));
}
