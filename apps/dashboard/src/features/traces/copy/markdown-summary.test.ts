import { readFileSync } from 'node:fs';
import { Trace } from '@throughline/contract';
import { expect, it } from 'vitest';
import { buildStepForest } from '../../../visuals/steps/analysis/step-forest.ts';
import { writeMarkdownSummary } from './markdown-summary.ts';

const recorded = Trace.parse(
  JSON.parse(readFileSync(new URL('../../landing/checkout-trace.json', import.meta.url), 'utf8')),
);

function buildSummary(trace: Trace): string {
  return writeMarkdownSummary(trace, buildStepForest(trace), 'https://t.example/traces/1');
}

it('a summary of a failed request contains the failed step and its call path', () => {
  const summary = buildSummary(recorded);
  expect(summary).toContain('### `POST /checkout`: 500 in ');
  expect(summary).toMatch(/\*\*Failed in `taxFor` \(`.*:\d+`\)\*\*/);
  expect(summary).toMatch(/```text\n.*TypeError: /);
  expect(summary).toMatch(/\n1\. `.*\n2\. `/);
  expect(summary).toMatch(/Slowest by self time:\n\n- \d/);
  expect(summary).toMatch(/\[Open trace\]\(https:\/\/t\.example\/traces\/1\)\n$/);
});

it('a summary of a successful request calls its error handled', () => {
  const error = { hasError: false, errorMessage: null, errorCode: null };
  const summary = buildSummary({ ...recorded, response: { ...recorded.response, statusCode: 200 }, error });
  expect(summary).toMatch(/\*\*Handled error in `taxFor`/);
  expect(summary).not.toContain('**Failed');
});

it('a summary of a successful request without steps has no section about a failure or about steps', () => {
  const summary = buildSummary({
    ...recorded,
    flow: [],
    response: { ...recorded.response, statusCode: null },
    error: { hasError: false, errorMessage: null, errorCode: null },
  });
  expect(summary).toContain(': no response in');
  expect(summary).not.toMatch(/Failed|way there|time of their own/);
});

it("captured strings cannot end the summary's code blocks", () => {
  const message = '```\n# not a heading\n````';
  const summary = buildSummary({
    ...recorded,
    flow: [],
    request: { ...recorded.request, path: `/a\`b\`\`c\n# d${'x'.repeat(10_000)}` },
    error: { hasError: true, errorMessage: message, errorCode: null },
  });
  expect(summary).toContain('### ```POST /a`b``c # dx');
  expect(summary.split('\n')[0]?.length).toBeLessThan(200);
  expect(summary).toContain(`\`\`\`\`\`text\n${message}\n\`\`\`\`\``);
});
