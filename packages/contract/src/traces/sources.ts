import { z } from 'zod';
import { defineRoute } from '../http/route.ts';

/** Limits of the source code sent with a trace. */
export const SOURCE_LIMITS = {
  /** Maximum number of files per trace. */
  files: 1000,
  /** Maximum number of functions of one file in one trace. */
  functions: 2000,
  /** Maximum number of characters per function. */
  characters: 65_536,
  /**
   * Maximum characters of all functions in one request body. Further source code is dropped, because parsing a million characters takes 0.3
   * s.
   */
  bodyCharacters: 2_000_000,
  /** Maximum characters of a file path. */
  path: 4000,
} as const;

const MAX_LINE = 4_294_967_295;

/** The complete source lines of one function, as its author wrote them. */
export const SourceFunction = z.object({
  /** Number of the function's first line in the file, counted from 1. */
  line: z.int().min(1, 'must be at least 1').max(MAX_LINE),
  text: z
    .string()
    .min(1, 'must not be empty')
    .max(SOURCE_LIMITS.characters, `must be at most ${SOURCE_LIMITS.characters} characters long`),
});
export type SourceFunction = z.infer<typeof SourceFunction>;

export const SOURCE_VERSION = /^[\w-]{8,64}$/;

/** A file whose functions ran in a request. */
export const TraceSource = z.object({
  /** The path that the steps have as `filePath`. */
  file: z.string().min(1, 'must not be empty').max(SOURCE_LIMITS.path),
  /** Hash of the file's source code, in base64url. */
  version: z.string().regex(SOURCE_VERSION, 'must be 8 to 64 characters of base64url'),
  /** Functions whose source code the server may not have yet. */
  functions: z
    .array(SourceFunction)
    .max(SOURCE_LIMITS.functions, `must have at most ${SOURCE_LIMITS.functions} functions`)
    .optional(),
});
export type TraceSource = z.infer<typeof TraceSource>;

/** A file, and those of its functions whose source code the server has. */
export const SourceFile = z.object({ file: z.string(), functions: z.array(SourceFunction) });
export type SourceFile = z.infer<typeof SourceFile>;

export const TraceSources = z
  .array(TraceSource)
  .max(SOURCE_LIMITS.files, `must have at most ${SOURCE_LIMITS.files} files`);

export const sourceRoutes = {
  source: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/source',
    summary:
      'Source code of the functions that ran in the request, in one file or in all files, as sent by its service; empty if none was sent',
    access: { by: 'session', action: 'traces.read', on: 'trace' },
    accessTokens: true,
    params: z.object({ id: z.string() }),
    query: z.object({
      /** The path that the steps have as `filePath`. Absent: all files. */
      file: z.string().max(SOURCE_LIMITS.path).optional(),
    }),
    answer: z.object({ files: z.array(SourceFile) }),
    errors: ['not_found'],
  }),
};
