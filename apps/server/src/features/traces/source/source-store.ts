import type { SourceFunction } from '@throughline/contract';
import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';

/** Longer files are answered up to here, in bytes. */
const MAX_BYTES = 4_000_000;

/** The version of a project's file. */
export interface SourceFile {
  readonly projectId: string;
  readonly file: string;
  readonly version: string;
}

/** Finds the stored functions of a file, by their first lines. */
export async function findSourceFunctions(
  store: TraceStore,
  { projectId, file, version }: SourceFile,
): Promise<SourceFunction[]> {
  return store.rows(
    z.object({ line: z.number(), text: z.string() }),
    `SELECT line, newest AS text FROM (
       SELECT line, newest, sum(length(newest)) OVER (ORDER BY line) AS bytes FROM (
         SELECT line, argMax(text, stored_at) AS newest FROM sources
         WHERE project_id = {project:UUID} AND file = {file:String} AND version = {version:String}
         GROUP BY line))
     WHERE /* bounded above */ bytes <= ${MAX_BYTES} ORDER BY line`,
    { project: projectId, file, version },
  );
}
