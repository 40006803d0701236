import { z } from 'zod';
import { describeProblem, parseTraceQuery } from './parse-query.ts';

export const MAX_QUERY_LENGTH = 12_000;

/** A query in the filter language. The validation error gives the position of the problem and the fix. */
export const TraceQuery = z
  .string()
  .max(MAX_QUERY_LENGTH, 'q must be at most 12,000 characters long')
  .superRefine((text, context) => {
    const { problem } = parseTraceQuery(text);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', message: `q: ${describeProblem(problem)}` });
  });
