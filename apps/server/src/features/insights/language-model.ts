import type { Finding } from '@throughline/contract';
import { z } from 'zod';
import type { LanguageModelConfig } from '../../platform/config.ts';

const TIMEOUT_MS = 60_000;
const MAX_FINDINGS = 20;
const MAX_LENGTH = 4000;

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

const TASK = `You receive findings of a monitoring program about a web service, as JSON. Write at most 150 words of plain English, without headings: what should a developer look at first, and why? Add nothing that is not in the findings.`;

/**
 * Returns a summary of at most 20 findings in prose. The language model receives each finding's kind, severity, start and numbers, and the
 * names of services, routes, steps, releases, environments, countries, instances and dependencies.
 * @throws if the endpoint does not respond in time, or responds without a completion
 */
export async function summarize(model: LanguageModelConfig, findings: readonly Finding[]): Promise<string> {
  const answer = await fetch(`${model.url.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(model.key !== undefined && { authorization: `Bearer ${model.key}` }),
    },
    body: JSON.stringify({
      model: model.model,
      messages: [
        { role: 'system', content: TASK },
        { role: 'user', content: JSON.stringify(findings.slice(0, MAX_FINDINGS).map(withoutValues)) },
      ],
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  if (!answer.ok) throw new Error(`the language model answered ${answer.status}`);
  const [choice] = Completion.parse(await answer.json()).choices;
  return (choice?.message.content ?? '').trim().slice(0, MAX_LENGTH);
}

/** Kinds of parts whose values are not sent to a language model, because the values can be captured values. */
const PRIVATE_PARTS: ReadonlySet<string> = new Set(['error', 'attribute', 'user']);

/** Leaves out error messages, attributes and users. */
function withoutValues(finding: Finding) {
  const { kind, severity, service, endpoint, since, requestCount, userCount } = finding;
  const shared = { kind, severity, service, endpoint, since, requestCount, userCount };
  if (finding.kind === 'newError') return shared;
  if (finding.kind !== 'changed') return { ...shared, evidence: finding.evidence };
  const { errorId: _, part, ...evidence } = finding.evidence;
  if (part === null) return { ...shared, evidence: { ...evidence, part } };
  const { name, value } = part;
  const named = PRIVATE_PARTS.has(name) ? { name } : { name, value };
  return { ...shared, evidence: { ...evidence, part: named } };
}
