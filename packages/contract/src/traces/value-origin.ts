import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { StepType } from './ingest.ts';

/** Links that an answer lists at most: those before the asked value, and those after it. */
export const MAX_LINKS_BACK = 20;
export const MAX_LINKS_FORWARD = 50;
/** Characters of a path in JSON, as a query has it. */
export const MAX_VALUE_PATH = 4000;

/** Parts of a step that hold values. */
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
/** Parts of the request that hold values; they have no step. */
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

/** Ways to know that two places hold one value, the surest first. */
export const LINK_KINDS = [
  /** The very same object in memory. */
  'same-object',
  'equal-text',
  'equal-number',
  'equal-date',
  /** An object or list with equal content. */
  'equal-content',
  /** An equal short text, or small number of an id, under the same name. */
  'same-name',
  /** The same value in another form, such as a number written as text. */
  'as-text',
  /** A longer text that contains the value. */
  'in-text',
] as const;
export const LinkKind = z.enum(LINK_KINDS);
export type LinkKind = z.infer<typeof LinkKind>;

/** Names and indexes from a place to a value in it: `["order", "items", 0, "price"]`. An entry of a Map is named by its key. */
export const ValuePath = z.array(z.union([z.string(), z.number()]));
export type ValuePath = Readonly<z.infer<typeof ValuePath>>;

/** A place that holds the followed value. */
export const ValueLink = z.object({
  /** Null for a part of the request itself. */
  stepId: z.string().nullable(),
  /** The step's name, or the request's method and path. */
  name: z.string(),
  type: StepType.nullable(),
  place: ValuePlace,
  path: ValuePath,
  how: LinkKind,
  /** A remark in a few words. */
  note: z.string().nullable(),
});
export type ValueLink = z.infer<typeof ValueLink>;

export const ValueOrigin = z.object({
  /** The value on one line. */
  value: z.string(),
  /** The followed value itself, as a link. */
  asked: ValueLink,
  /** Why the value cannot be followed; null where it was. */
  refusal: z.object({ reason: z.enum(['too_common', 'not_captured']), text: z.string() }).nullable(),
  /** One sentence that names the first place with the value; names of code stand between backticks. Null with a refusal. */
  origin: z.string().nullable(),
  /** Places that had the value before, in the order of time: the first one, then those nearest to the asked one. */
  came: z.array(ValueLink).max(MAX_LINKS_BACK),
  /** Number of places between the first one and the rest of `came`. */
  cameMore: z.number(),
  /** Places that had the value later, in the order of time; with many, the last one is kept. */
  went: z.array(ValueLink).max(MAX_LINKS_FORWARD),
  /** Number of places before the last one of `went` that are not listed. */
  wentMore: z.number(),
});
export type ValueOrigin = z.infer<typeof ValueOrigin>;

export const valueOriginRoutes = {
  valueOrigin: defineRoute({
    method: 'GET',
    path: '/api/traces/:id/value-origin',
    summary:
      'Where a value of a trace came from and where it went: each place that holds the same object, or an equal distinctive value, with how that is known',
    access: { by: 'session', action: 'traces.read', on: 'trace' },
    params: z.object({ id: z.string() }),
    query: z.object({
      /** Absent for a part of the request itself. */
      stepId: z.string().max(1000).optional(),
      place: ValuePlace,
      /** A {@link ValuePath} as JSON. */
      path: z.string().max(MAX_VALUE_PATH).default('[]'),
    }),
    answer: z.object({ origin: ValueOrigin }),
    errors: ['validation_failed', 'not_found', 'overloaded'],
  }),
};
