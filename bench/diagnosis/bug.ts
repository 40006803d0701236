import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const BUGS = join(import.meta.dirname, 'bugs');

const Sent = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});
export type Sent = z.infer<typeof Sent>;

/** A request whose answer shows that the bug is there, or is not. */
const Expected = Sent.extend({
  expect: z.object({ status: z.number(), bodyIncludes: z.string().optional() }),
});
export type Expected = z.infer<typeof Expected>;

export const Bug = z.object({
  title: z.string(),
  category: z.string(),
  symptom: z.enum(['error', 'wrong', 'slow']),
  /** Requests that work, as different users send them. */
  warmUp: z.array(Sent).min(5),
  passing: Expected,
  /** Requests that bring about the state in which the failing one fails. */
  before: z.array(Sent),
  failing: Expected,
  /** Requests sent at the same time as the failing one. */
  together: z.array(Sent),
  cause: z.object({
    file: z.string(),
    /** The function in whose call the wrong value is first seen. */
    function: z.string(),
    /** The argument, variable or property that holds it, or `return value`; `calls` or `time` of a slow request. */
    value: z.string(),
    /** As JavaScript writes it. */
    wrong: z.string(),
    right: z.string(),
  }),
});
export type Bug = z.infer<typeof Bug>;

export interface NamedBug extends Bug {
  readonly name: string;
  readonly folder: string;
}

/** Reads all bugs, in order of their names. */
export function readBugs(): NamedBug[] {
  return readdirSync(BUGS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = join(BUGS, name);
      return { ...Bug.parse(JSON.parse(readFileSync(join(folder, 'bug.json'), 'utf8'))), name, folder };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
