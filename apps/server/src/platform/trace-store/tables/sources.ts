import { formatMicrosField, formatTextField } from '../rows/tab-separated.ts';
import { defineColumns } from './columns.ts';

export interface SourceRow {
  readonly projectId: string;
  readonly file: string;
  readonly version: string;
  readonly line: number;
  readonly text: string;
  readonly storedMicros: bigint;
}

/** The columns of `sources`, in the order in which a row is written. */
export const SOURCE_COLUMNS = defineColumns<SourceRow>()({
  project_id: ({ projectId }) => projectId,
  file: ({ file }) => formatTextField(file.toWellFormed()),
  version: ({ version }) => version,
  line: ({ line }) => line,
  text: ({ text }) => formatTextField(text.toWellFormed()),
  stored_at: ({ storedMicros }) => formatMicrosField(storedMicros),
});
