import type { TraceSource } from '@throughline/contract';
import type { ProjectId } from '../../../platform/ids.ts';
import { jsonField, microsField, textField } from '../../../platform/trace-store/index.ts';

/** The columns of a source's row, in order. */
export const SOURCE_COLUMNS = ['project_id', 'file', 'version', 'line', 'text', 'stored_at'] as const;

const NO_ROWS = Buffer.alloc(0);

/** Builds the value of the column `sources` in a trace's row: the version of each source file, sorted by path. */
export function encodeVersions(sources: readonly TraceSource[] | null | undefined): string {
  if (!sources?.length) return '';
  const versions = sources.map(({ file, version }) => [file.toWellFormed(), version] as const);
  return jsonField(JSON.stringify(Object.fromEntries(versions.sort(([a], [b]) => (a < b ? -1 : 1)))));
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
        `${projectId}\t${textField(file.toWellFormed())}\t${version}\t${line}\t${textField(text.toWellFormed())}\t${microsField(nowMicros)}\n`,
    ),
  );
  return rows.length === 0 ? NO_ROWS : Buffer.from(rows.join(''));
}
