import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Folders of bugs. The authors of `bugs` knew how the server finds causes; the authors of the other sets did not. Developers can read every
 * set except `unseen` to improve the rules.
 */
export const BUG_SETS = ['bugs', 'held-out', 'fresh', 'spent', 'unseen'] as const;
export type BugSet = (typeof BUG_SETS)[number];

const Sent = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});
export type Sent = z.infer<typeof Sent>;

/** A request whose response shows if the bug is present. */
const Expected = Sent.extend({
  expect: z.object({ status: z.number(), bodyIncludes: z.string().optional() }),
});
export type Expected = z.infer<typeof Expected>;

export const Bug = z.object({
  title: z.string(),
  category: z.string(),
  symptom: z.enum(['error', 'wrong', 'slow']),
  /** Successful requests of different users. */
  warmUp: z.array(Sent).min(5),
  passing: Expected,
  /** Requests that set up the state in which the failing request fails. */
  before: z.array(Sent),
  failing: Expected,
  /** Requests sent concurrently with the failing request. */
  together: z.array(Sent),
  cause: z.object({
    file: z.string(),
    /** The function whose call is the first with the wrong value. */
    function: z.string(),
    /** The argument, variable or property with the wrong value, or `return value`; for a slow request, `calls` or `time`. */
    value: z.string(),
    /** The wrong value, as JavaScript writes it. */
    wrong: z.string(),
    right: z.string(),
  }),
});
export type Bug = z.infer<typeof Bug>;

export interface NamedBug extends Bug {
  readonly name: string;
  readonly folder: string;
}

/** Reads all bugs of a set, sorted by name. */
export function readBugs(set: BugSet): NamedBug[] {
  const root = join(import.meta.dirname, set);
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = join(root, name);
      return { ...Bug.parse(JSON.parse(readFileSync(join(folder, 'bug.json'), 'utf8'))), name, folder };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
