/** Holds findings against what was planted. Reads them loosely, so that findings of kinds it does not know count too. */
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
  /** How far the nearest finding's start is away, hours; null where nothing was found. */
  readonly startErrorHours: number | null;
  /** Findings about something else, which may be what the problem led to. */
  readonly others: number;
}

export function judgeFindings(truth: Truth, findings: readonly Finding[]): Verdict {
  const about = findings.filter((finding) => isAbout(truth, finding));
  const errors = about.map(({ since }) => Math.abs(Date.parse(since) - truth.startMs) / 3_600_000);
  const startErrorHours = errors.length === 0 ? null : Math.min(...errors);
  return { found: startErrorHours !== null, startErrorHours, others: findings.length - about.length };
}

function isAbout(truth: Truth, finding: Finding): boolean {
  const { endpoints, names, insteadOfEndpoint, words, startMs, toleranceHours } = truth;
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
    // A finding that names the cause need not name the endpoint.
    (names.length > 0 && finding.endpoint === null ? isNamed : isThere && isNamed) &&
    words.test(`${finding.kind} ${finding.title}`) &&
    Math.abs(Date.parse(since) - startMs) <= toleranceHours * 3_600_000
  );
}

/** A name as a word of its own: a country's letters are in many words, a path at the beginning of others. */
function hasName(text: string, name: string): boolean {
  const escaped = JSON.stringify(name)
    .slice(1, -1)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<!\w)${escaped}(?![\w/])`).test(text);
}

/** Every finding about a project where nothing is the matter is a false alarm. */
export function countFalseAlarms(findings: readonly Finding[]) {
  return { any: findings.length, high: findings.filter(({ severity }) => severity === 'high').length };
}
