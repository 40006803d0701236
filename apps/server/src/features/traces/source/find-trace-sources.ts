import type { SourceFile } from '@throughline/contract';
import { z } from 'zod';
import type { Scope } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findSourceVersions } from '../detail/single-trace-store.ts';
import type { TraceIn } from '../detail/trace-in.ts';
import { findSourceFiles } from './source-store.ts';

export interface SourceDeps {
  readonly store: TraceStore;
  readonly traceIn: TraceIn;
}

interface WantedSources {
  readonly scope: Scope;
  readonly traceId: string;
  /** The files to find; undefined for all files. */
  readonly files: ReadonlySet<string> | undefined;
}

/** Finds the source code of a trace's functions, in the versions that ran. @throws AppError `not_found`, `forbidden` */
export async function findTraceSources(
  { store, traceIn }: SourceDeps,
  { scope, traceId, files }: WantedSources,
): Promise<SourceFile[]> {
  const trace = await traceIn(findSourceVersions, scope, traceId);
  return findSourceFiles(store, trace.project_id, readVersions(trace.sources, files));
}

const Versions = z.record(z.string(), z.string());

/** Parses the column `sources` and returns the versions of the wanted files. */
function readVersions(sources: string, files: WantedSources['files']): ReadonlyMap<string, string> {
  if (sources === '') return new Map();
  const versions = Object.entries(Versions.parse(JSON.parse(sources)));
  return new Map(versions.filter(([path]) => files?.has(path) ?? true));
}
