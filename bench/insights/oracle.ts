/** Compares findings with the planted problem. Parses findings with a loose schema, so that findings of unknown kinds count, too. */
import { z } from 'zod';
import type { Truth } from './problem.ts';

const Finding = z.looseObject({
  kind: z.string(),
  title: z.string(),
  detail: z.string(),
  severity: z.string(),
  service: z.string(),
  endpoint: z.object({ method: z.string(), path: z.string() }).nullable(),
  since: z.string(),
});
export type Finding = z.infer<typeof Finding>;

export const Insights = z.object({
  insights: z.object({ available: z.literal(true), requestCount: z.number(), findings: z.array(Finding) }),
});

export interface Verdict {
  readonly found: boolean;
  /** Hours between the start of the problem and the nearest start of a matching finding; null if the problem was not found. */
  readonly startErrorHours: number | null;
  /** Number of findings about something else, which can be a consequence of the problem. */
  readonly others: number;
}

export function judgeFindings(truth: Truth, findings: readonly Finding[]): Verdict {
  const about = findings.filter((finding) => isAbout(truth, finding));
  const errors = about.map(({ since }) => Math.abs(Date.parse(since) - truth.startMs) / 3_600_000);
  const isTooMany =
    truth.onlyOne === true && findings.filter((finding) => hasWords(truth, finding)).length > 1;
  const startErrorHours = errors.length === 0 || isTooMany ? null : Math.min(...errors);
  return { found: startErrorHours !== null, startErrorHours, others: findings.length - about.length };
}

function isAbout(truth: Truth, finding: Finding): boolean {
  const { endpoints, names, insteadOfEndpoint, differing = [], startMs, toleranceHours } = truth;
  const { id: _id, exampleTraceIds: _examples, since, ...said } = finding;
  const text = JSON.stringify(said);
  const isThere =
    endpoints.length === 0 ||
    endpoints.some(({ method, path }) =>
      finding.endpoint === null
        ? [path, ...(insteadOfEndpoint === undefined ? [] : [insteadOfEndpoint])].some((name) =>
            hasName(text, name),
          )
        : finding.endpoint.method === method && finding.endpoint.path === path,
    );
  const isNamed = names.length === 0 || names.some((name) => hasName(text, name));
  return (
    // A finding that names the cause counts even if it does not name the endpoint.
    (names.length > 0 && finding.endpoint === null ? isNamed : isThere && isNamed) &&
    hasWords(truth, finding) &&
    !differing.some((name) => hasName(finding.title, name)) &&
    Math.abs(Date.parse(since) - startMs) <= toleranceHours * 3_600_000
  );
}

function hasWords({ words }: Truth, { kind, title }: Finding): boolean {
  return words.test(`${kind} ${title}`);
}

/**
 * True if the text contains the name as a whole word. A part of a word does not count: `/orders` is the beginning of other paths, and a
 * country code occurs in many words.
 */
function hasName(text: string, name: string): boolean {
  const escaped = JSON.stringify(name)
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<!\w)${escaped}(?![\w/])`).test(text);
}

/** Counts all findings as false alarms, for projects without a problem. */
export function countFalseAlarms(findings: readonly Finding[]) {
  return { any: findings.length, high: findings.filter(({ severity }) => severity === 'high').length };
}
