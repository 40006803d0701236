import { getRouteApi, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import {
  GROUP_FIELDS,
  MAX_MICROS,
  MAX_VALUE_PATH,
  MIN_MICROS,
  parseAttributeTerm,
  parseInstant,
  parseTraceQuery,
  parseValueCondition,
  SOME_ERROR_IDS,
  SOME_IDS,
  StepType,
} from '@throughline/contract';
import { z } from 'zod';
import { LAST_RANGES } from '../time-range/time-range.ts';
import { readArea } from './area-param.ts';
import { parseSearch } from './search-text.ts';
import { TablesParam } from './tables-param.ts';

const text = z.string().max(1000).optional().catch(undefined);
/** A URL path in a filter. */
const pathText = z.string().max(8192).optional().catch(undefined);
/** A step's name, which may be a database query. */
const longText = z.string().max(10_000).optional().catch(undefined);

/** An instant in ISO 8601 format that the server can store and compare. */
const instant = z.iso.datetime().refine(isStorable).optional().catch(undefined);

function isStorable(text: string): boolean {
  const micros = parseInstant(text);
  return micros !== undefined && micros >= MIN_MICROS && micros < MAX_MICROS;
}

/** A number of milliseconds, as a string like all URL parameters. */
const milliseconds = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,3})?$/)
  .optional()
  .catch(undefined);

const count = z
  .string()
  .regex(/^\d{1,6}$/)
  .optional()
  .catch(undefined);

/** A count of at least one. */
const many = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .optional()
  .catch(undefined);

/** An HTTP token (RFC 9110, 5.6.2), since services may define their own methods. In the drop-down list, `all` means any method. */
const method = z
  .string()
  .regex(/^(?!all$)[!#$%&'*+.^_`|~\w-]{1,64}$/i)
  .optional()
  .catch(undefined);

/** A day that is within the storable instants in every time zone. */
const day = z.iso
  .date()
  .refine((text) => text >= '1903-01-01' && text <= '2260-12-31')
  .optional()
  .catch(undefined);

/** The filters of a list of traces. */
export const TraceFilterParams = z.object({
  /** Part of a path, or the beginning of a trace id. */
  q: text,
  status: z.enum(['success', 'error']).optional().catch(undefined),
  method,
  /** Status code of the response. */
  code: z
    .string()
    .regex(/^\d{1,3}$/)
    .optional()
    .catch(undefined),
  /** The status class as used in analytics. */
  statusClass: z.enum(['2xx', '3xx', '4xx', '5xx', 'other']).optional().catch(undefined),
  /** The route template of the request, and the service that handled the request. */
  route: pathText,
  service: text,
  /** Limits the list to requests of services with a name, or without a name. */
  services: z.enum(['named', 'unnamed']).optional().catch(undefined),
  environment: text,
  release: text,
  /** The process that handled the request. */
  instance: text,
  /** The name of the calling service, and a filter for callers with or without a name. */
  caller: text,
  callers: z.enum(['named', 'unnamed']).optional().catch(undefined),
  /** The request's user, session and country. Countries are two letters, ZZ if unknown. */
  users: z.enum(['known', 'unknown']).optional().catch(undefined),
  user: text,
  session: text,
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .catch(undefined),
  /**
   * The groups of the analytics page, by which a list can be filtered: endpoint, feature, error message, step name and type, and
   * dependency.
   */
  endpoint: pathText,
  feature: pathText,
  errorGroup: text,
  /** Comma-separated ids of errors that are shown as one error. */
  errorIds: z.string().min(1).regex(SOME_ERROR_IDS).optional().catch(undefined),
  /** A part of the error's message. */
  errorText: text,
  stepName: longText,
  stepType: StepType.optional().catch(undefined),
  dependency: text,
  /** `stepStatus` is the status of the step that the other filters name. `minCalls` is the minimum number of calls of this step. */
  stepStatus: z.enum(['success', 'error']).optional().catch(undefined),
  minCalls: many,
  /** An attribute of the request or of a step, as `name:value` or only `name`. */
  attribute: z
    .string()
    .max(1000)
    .refine((written) => written === '' || parseAttributeTerm(written) !== undefined)
    .optional()
    .catch(undefined),
  /** A search over captured values, such as `charge.order.totalCents>50000`. */
  value: z
    .string()
    .min(1)
    .max(1000)
    .refine((written) => parseValueCondition(written).problem === undefined)
    .optional()
    .catch(undefined),
  /** Limits the list to these requests: their `_id`s, separated by commas. */
  requests: z.string().min(1).regex(SOME_IDS).optional().catch(undefined),
  /** The minimum and maximum number of steps. */
  minSteps: count,
  maxSteps: count,
  /** A range of start times: two instants, the first and the last day, or a range that ends now. */
  from: instant,
  to: instant,
  start: day,
  end: day,
  last: z.enum(LAST_RANGES).optional().catch(undefined),
  /** A range of durations: minimum and maximum, in milliseconds. */
  min: milliseconds,
  max: milliseconds,
  /** Excluded values in the filter language: `-instance:w3 -user:19`. */
  exclude: z.string().max(4000).refine(isExclusion).optional().catch(undefined),
});
export type TraceFilterParams = z.infer<typeof TraceFilterParams>;

/** True for a query that contains only excluded values. */
function isExclusion(text: string): boolean {
  const { filters } = parseTraceQuery(text);
  return filters?.excluded !== undefined && Object.keys(filters).length === 1;
}

/** Links to all requests above a duration contain this maximum, which counts as no maximum. Milliseconds. */
const NO_MAXIMUM_MS = 999_999_999_999;

/**
 * Reads a list's filters from the URL parameters. If a time range ends before it begins, drops its end. If a range of durations has a
 * minimum above its maximum, drops both.
 */
export function readTraceFilterParams(view: TraceFilterParams): TraceFilterParams {
  const { from, to, min, max, ...rest } = TraceFilterParams.parse(view);
  const isStretch = from !== undefined && to !== undefined && Date.parse(from) <= Date.parse(to);
  const longest = max !== undefined && Number(max) < NO_MAXIMUM_MS ? max : undefined;
  const isSpan = min === undefined || longest === undefined || Number(min) <= Number(longest);
  return { ...rest, from, ...(isStretch && { to }), ...(isSpan && { min, max: longest }) };
}

/** Maps old names of the timeline view to the current name, since tickets and chats contain old links. */
function renameView(view: unknown): unknown {
  return view === 'steps' || view === 'waterfall' ? 'timeline' : view;
}

/** The URL parameters of the signed-in pages. Invalid parameters are ignored. */
export const ViewParams = z.object({
  /** The selected project's id. `all` is not accepted as an id, because drop-down lists use it for all projects. */
  project: z
    .string()
    .regex(/^(?!all$)/)
    .max(1000)
    .optional()
    .catch(undefined),
  ...TraceFilterParams.shape,
  /** The order of the list; newest first if absent. */
  sort: z.enum(['duration', 'steps']).optional().catch(undefined),
  /**
   * The field by which the list's requests are grouped, and the order of the groups; if the order is absent, the group with the most
   * requests is first.
   */
  groupBy: z.enum(GROUP_FIELDS).optional().catch(undefined),
  groupSort: z.enum(['errors', 'p95']).optional().catch(undefined),
  /** Shows the panel of values that are more frequent in the listed requests than in other requests. */
  differences: z.enum(['shown']).optional().catch(undefined),
  /** The selected cells of the heatmap of Analytics. */
  area: z
    .string()
    .max(100)
    .refine((written) => readArea(written) !== undefined)
    .optional()
    .catch(undefined),
  /** The `_id` of the open trace. */
  trace: text,
  /** The open trace's view. */
  view: z
    .preprocess(
      renameView,
      z
        .enum(['timeline', 'flow', 'flame', 'sequence', 'files', 'request', 'response', 'performance'])
        .optional(),
    )
    .catch(undefined),
  /** The key of the selected step or bundle of steps, or a `stepId`. */
  step: text,
  /** Filters of the open trace's steps: search words, step type, and only failed steps or only steps of the critical path. */
  find: text,
  kind: StepType.optional().catch(undefined),
  only: z.enum(['errors', 'critical']).optional().catch(undefined),
  /**
   * The list of errors: the open error, the period in days (only in old links), and the states of the listed errors. `assigned` lists only
   * errors that are assigned to the user.
   */
  error: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
  days: z.enum(['1', '30']).optional().catch(undefined),
  state: z.enum(['resolved', 'ignored', 'all']).optional().catch(undefined),
  assigned: z.enum(['me']).optional().catch(undefined),
  /** The flow graph's mode (one card per call, or one per function), and whether lanes group functions by file or by service. */
  graph: z.enum(['calls', 'functions']).optional().catch(undefined),
  group: z.enum(['file', 'service']).optional().catch(undefined),
  /** The order of a file's functions in the tab Source; by first call if absent. */
  order: z.enum(['lines']).optional().catch(undefined),
  /** The page's open tab. */
  tab: text,
  /** The order and the search of the page's tables, such as `errors:-requests:no stock`. */
  tables: TablesParam,
  /**
   * For stats, `previous` compares with the previous period. For a trace, an `_id` compares with that trace, `good` with the most similar
   * successful request, and `before` with the most similar request of the previous release.
   */
  compare: z
    .union([z.enum(['previous', 'good', 'before']), z.uuid()])
    .optional()
    .catch(undefined),
  /** The value whose origin in the open trace is shown: its step, field and path as JSON. */
  origin: z.string().max(MAX_VALUE_PATH).optional().catch(undefined),
});
export type ViewParams = z.infer<typeof ViewParams>;

/** Parameters to set; `undefined` removes a parameter. */
export type ViewChange = { readonly [key in keyof ViewParams]?: ViewParams[key] | undefined };

/** The parent route of all signed-in pages. */
const route = getRouteApi('/signed-in');

/** Returns the URL parameters of a signed-in page. */
export function useViewParams(): ViewParams {
  return route.useSearch();
}

/** Returns the search string for a trace's steps. Empty outside the signed-in pages: the landing page's example has no search. */
export function useStepSearchText(): string {
  const { find } = useSearch({ strict: false });
  return typeof find === 'string' ? find : '';
}

/**
 * Returns a function that changes the page's URL parameters: `change({ status: 'error' })`, `change({ trace: undefined })`. By default, the
 * browser's Back button undoes the change, for example the opening of a trace. Changes by typing and filtering use `{ replace: true }`:
 * Back does not undo them.
 */
export function useChangeView(): (change: ViewChange, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate();
  const readAddress = useReadAddress();
  return (change, options) => {
    void navigate({
      to: '.',
      search: () => ({ ...readAddress().params, ...change }),
      replace: options?.replace ?? false,
      resetScroll: false,
    });
  };
}

/** Returns a function that reads the current URL. The router's location is outdated while a navigation is still loading. */
export function useReadAddress(): () => { readonly pathname: string; readonly params: ViewParams } {
  const { history } = useRouter();
  return () => {
    const { pathname, search } = history.location;
    return { pathname, params: ViewParams.parse(parseSearch(search)) };
  };
}
