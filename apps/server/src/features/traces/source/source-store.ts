import type { SourceFile, SourceFunction } from '@throughline/contract';
import { z } from 'zod';
import type { TraceStore } from '../../../platform/trace-store/index.ts';

/** Maximum number of bytes of source code in a response. The rest is omitted. */
const MAX_BYTES = 4_000_000;

const Row = z.object({ file: z.string(), version: z.string(), line: z.number(), newest: z.string() });

/** Finds the stored functions of a project's files, each file given by path and version. Functions are sorted by line. */
export async function findSourceFiles(
  store: TraceStore,
  projectId: string,
  versions: ReadonlyMap<string, string>,
): Promise<SourceFile[]> {
  if (versions.size === 0) return [];
  const rows = await store.rows(
    Row,
    `SELECT file, version, line, newest FROM (
       SELECT file, version, line, newest, sum(length(newest)) OVER (ORDER BY file, line, version) AS bytes FROM (
         SELECT file, version, line, argMax(text, stored_at) AS newest FROM sources
         WHERE project_id = {project:UUID} AND file IN {files:Array(String)} AND version IN {versions:Array(String)}
         GROUP BY file, version, line))
     WHERE /* bounded above */ bytes <= ${MAX_BYTES} ORDER BY file, line`,
    { project: projectId, files: [...versions.keys()], versions: [...new Set(versions.values())] },
  );
  const files = new Map<string, SourceFunction[]>();
  for (const { file, version, line, newest } of rows) {
    if (versions.get(file) !== version) continue;
    const functions = files.get(file) ?? [];
    files.set(file, functions);
    functions.push({ line, text: newest });
  }
  return Array.from(files, ([file, functions]) => ({ file, functions }));
}
