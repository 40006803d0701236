import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { StepType } from './ingest.ts';

/** Maximum number of occurrences before the requested occurrence in a response. `MAX_LINKS_FORWARD` limits the later occurrences. */
export const MAX_LINKS_BACK = 20;
export const MAX_LINKS_FORWARD = 50;
/** Maximum characters of a JSON path in a query. */
export const MAX_VALUE_PATH = 4000;

/** Captured fields of a step that contain values. */
export const STEP_PLACES = [
  'parameters',
  'localVariables',
  'returnValue',
  'thisContext',
  'inputs',
  'outputs',
  'metadata',
  'error',
] as const;
/** Captured fields of the request that contain values. They belong to no step. */
export const REQUEST_PLACES = [
  'request.path',
  'request.query',
  'request.headers',
  'request.body',
  'response.headers',
  'response.body',
] as const;
export const ValuePlace = z.enum([...STEP_PLACES, ...REQUEST_PLACES]);
export type ValuePlace = z.infer<typeof ValuePlace>;

/** How certain it is that two occurrences are the same value. The most certain kind comes first. */
export const LINK_KINDS = [
  /** The identical object in memory. */
  'same-object',
  'equal-text',
  'equal-number',
  'equal-date',
  /** An object or array with equal content. */
  'equal-content',
  /**
   * A short string, or a small number that is an id, if both occurrences have the same name. Such values are too common to be compared
   * without the name.
   */
  'same-name',
  /** The same value in another representation, such as a number written as a string. */
  'as-text',
  /** A longer string that contains the value. */
  'in-text',
] as const;
export const LinkKind = z.enum(LINK_KINDS);
export type LinkKind = z.infer<typeof LinkKind>;

/**
 * Keys and indexes that lead from a captured field to a value in it: `["order", "items", 0, "price"]`. An entry of a Map is identified by
 * its key.
 */
export const ValuePath = z.array(z.union([z.string(), z.number()]));
export type ValuePath = Readonly<z.infer<typeof ValuePath>>;

/** One occurrence of the traced value. */
export const ValueLink = z.object({
  /** Id of the step; null if the value is in the request itself. */
  stepId: z.string().nullable(),
  /** The step's name, or the request's method and path. */
  name: z.string(),
  type: StepType.nullable(),
  place: ValuePlace,
  path: ValuePath,
  how: LinkKind,
  /** Remark that the content of the object differs at this occurrence; null if the content is the same. */
  note: z.string().nullable(),
});
export type ValueLink = z.infer<typeof ValueLink>;

export const ValueOrigin = z.object({
  /** The value on one line. */
  value: z.string(),
  /** The occurrence of the value that was requested. */
  asked: ValueLink,
  /** Why the origin cannot be traced; null if it was traced. */
  refusal: z.object({ reason: z.enum(['too_common', 'not_captured']), text: z.string() }).nullable(),
  /** One sentence about the first occurrence of the value, with identifiers from code in backticks. Null if there is a refusal. */
  origin: z.string().nullable(),
  /** The source code that shows where the value came from; null if there is none, or if several places are possible. */
  code: z
    .object({
      kind: z.enum(['constant', 'environment']),
      /** Id of a step of the function that contains the code. */
      stepId: z.string(),
      file: z.string(),
      lines: z.array(z.int()),
    })
    .nullable(),
  /** Earlier occurrences in order of time: the very first one, then the latest ones before the requested occurrence. */
  came: z.array(ValueLink).max(MAX_LINKS_BACK),
  /** Number of earlier occurrences left out between the first and the second entry of `came`. */
  cameMore: z.number(),
  /** Later occurrences in order of time. If some are left out, the last entry is still the last occurrence. */
  went: z.array(ValueLink).max(MAX_LINKS_FORWARD),
  /** Number of later occurrences left out before the last entry of `went`. */
  wentMore: z.number(),
});
export type ValueOrigin = z.infer<typeof ValueOrigin>;

export const valueOriginRoutes = {
  valueOrigin: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/value-origin',
    summary:
      'Where a value in a trace came from and where it went: every occurrence of the same object or of an equal distinctive value, and how each match was established',
    access: { by: 'session', action: 'traces.read', on: 'trace' },
    accessTokens: true,
    params: z.object({ id: z.string() }),
    query: z.object({
      /** Id of the step; absent for a value in the request itself. */
      stepId: z.string().max(1000).optional(),
      place: ValuePlace,
      /** A {@link ValuePath} as JSON. */
      path: z.string().max(MAX_VALUE_PATH).default('[]'),
    }),
    answer: z.object({ origin: ValueOrigin }),
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
};
