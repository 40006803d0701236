import { z } from 'zod';
import { CAPTURE_MODES, CaptureMode } from '../traces/ingest.ts';

/** Settings that a project prescribes for its services. Each ingest response contains them. Null: each service decides. */
export const Sampling = z.object({
  /** Share of requests to record, 0 to 1. */
  sampleRate: z.number().nullable(),
  capture: CaptureMode.nullable(),
});
export type Sampling = z.infer<typeof Sampling>;

export const SamplingChange = z.strictObject(
  {
    sampleRate: z
      .number('sampleRate must be a number from 0 to 1, or null')
      .min(0, 'sampleRate must be from 0 to 1')
      .max(1, 'sampleRate must be from 0 to 1')
      .nullish(),
    capture: z.enum(CAPTURE_MODES, 'capture must be all, structure, off or null').nullish(),
  },
  'sampling must be an object of sampleRate and capture',
);

/** A project's own redaction rules, which apply in addition to the built-in rules; see `RedactRules`. */
export const Redaction = z.object({ keys: z.array(z.string()), paths: z.array(z.string()) });
export type Redaction = z.infer<typeof Redaction>;

export const MAX_REDACTION_RULES = 100;

/** Valid first segments of a redaction path: fields of a trace, and the captured fields of a step. */
export const REDACTION_ROOTS = [
  'request',
  'response',
  'user',
  'attributes',
  'inputs',
  'outputs',
  'variables',
  'error',
  'metadata',
] as const;

/**
 * Matches names that consist of letters of any script, digits, and word separators. Regular expressions are not allowed as names, because a
 * regular expression could match other names by accident, or block a server.
 */
const NAME = /^[\p{L}\p{M}\p{N}_.\- ]+$/u;
const LETTER = /\p{L}/u;

const key = z
  .string('a key must be a text')
  .trim()
  .max(100, 'a key must be at most 100 characters long')
  .superRefine((name, context) => {
    if (NAME.test(name) && LETTER.test(name)) return;
    context.addIssue({
      code: 'custom',
      message: `${quoteText(name)} is not a name: keys are compared word by word, not as regular expressions. Write only the name, such as customerRef`,
    });
  });

const path = z
  .string('a path must be a text')
  .trim()
  .max(500, 'a path must be at most 500 characters long')
  .superRefine((text, context) => {
    const problem = findPathProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

function findPathProblem(text: string): string | undefined {
  const segments = text.split('.');
  const [root = ''] = segments;
  if (!REDACTION_ROOTS.some((known) => known === root)) {
    return `${quoteText(text)} does not begin with a part of a trace. A path begins with ${REDACTION_ROOTS.join(', ')}`;
  }
  if (segments.length < 2)
    return `${quoteText(text)} is a whole part of a trace: name something in it, or write ${root}.* for everything in it`;
  if (segments.length > 50) return `${quoteText(text)} has more than 50 parts`;
  if (segments.some((segment) => segment === ''))
    return `${quoteText(text)} has an empty part between its dots`;
  const mixed = segments.find((segment) => segment !== '*' && segment.includes('*'));
  if (mixed === undefined) return undefined;
  return `${quoteText(mixed)} in ${quoteText(text)}: * stands for any one name or position, never for a part of one`;
}

function quoteText(text: string): string {
  return `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
}

const rules = (each: z.ZodType<string, string>, what: string) =>
  z
    .array(each, `redaction.${what} must be a list of texts`)
    .max(MAX_REDACTION_RULES, `redaction.${what} must have at most ${MAX_REDACTION_RULES} rules`)
    .transform((list) => [...new Set(list)]);

/** New redaction rules of a project. They replace all of the project's existing rules. */
export const RedactionChange = z.strictObject(
  { keys: rules(key, 'keys'), paths: rules(path, 'paths') },
  'redaction must be an object of keys and paths',
);
