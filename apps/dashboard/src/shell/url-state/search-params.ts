import { getRouteApi, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import {
  instantToMicros,
  MAX_MICROS,
  MAX_VALUE_PATH,
  MIN_MICROS,
  parseTraceQuery,
  SOME_IDS,
  StepType,
} from '@throughline/contract';
import { z } from 'zod';
import { parseSearch } from './search-text.ts';

const text = z.string().max(1000).optional().catch(undefined);
/** A path of a link. */
const pathText = z.string().max(8192).optional().catch(undefined);
/** A step's name, which may be a database query. */
const longText = z.string().max(10_000).optional().catch(undefined);

/** An instant in the format that the server can compare with. */
const instant = z.iso
  .datetime()
  .refine((text) => {
    const micros = instantToMicros(text);
    return micros !== undefined && micros >= MIN_MICROS && micros < MAX_MICROS;
  })
  .optional()
  .catch(undefined);
/** A number, parsed from a string like all URL parameters. */
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

/** An HTTP token (RFC 9110, 5.6.2), since services may define their own methods. `all` is the select's option for any method. */
const method = z
  .string()
  .regex(/^(?!all$)[!#$%&'*+.^_`|~\w-]{1,64}$/i)
  .optional()
  .catch(undefined);

const day = z.iso.date().optional().catch(undefined);

/** The filters of a list of traces. */
export const TraceFilterParams = z.object({
  /** Part of a path, or a trace id. */
  q: text,
  status: z.enum(['success', 'error']).optional().catch(undefined),
  method,
  /** The status of the response. */
  code: z
    .string()
    .regex(/^\d{1,3}$/)
    .optional()
    .catch(undefined),
  /** The status class as used in analytics. */
  statusClass: z.enum(['2xx', '3xx', '4xx', '5xx', 'other']).optional().catch(undefined),
  /** The template of the path that was asked for, and what answered. */
  route: pathText,
  service: text,
  /** Keeps requests of named services, or of unnamed ones. */
  services: z.enum(['named', 'unnamed']).optional().catch(undefined),
  environment: text,
  release: text,
  /** The process that answered. */
  instance: text,
  /** Which service asked for it, and whether that has a name. */
  caller: text,
  callers: z.enum(['named', 'unnamed']).optional().catch(undefined),
  /** Who asked, and from which country: two letters, ZZ where nobody knows. */
  users: z.enum(['known', 'unknown']).optional().catch(undefined),
  user: text,
  session: text,
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .catch(undefined),
  /** As figures group requests: by endpoint, by feature, by what their errors say, and by what their steps are and ask. */
  endpoint: pathText,
  feature: pathText,
  errorGroup: text,
  /** A part of the error's message. */
  errorText: text,
  stepName: longText,
  stepType: StepType.optional().catch(undefined),
  dependency: text,
  /** The status of such a step, and the least number of calls with the same inputs. */
  stepStatus: z.enum(['success', 'error']).optional().catch(undefined),
  minCalls: many,
  /** `name:value`, or a name: an attribute of the request or of a step. */
  attribute: text,
  /** These alone, by their `_id`, with commas between them. */
  requests: z.string().min(1).regex(SOME_IDS).optional().catch(undefined),
  /** The least and the largest number of steps. */
  minSteps: count,
  maxSteps: count,
  /** A range of start times (two instants), and a range of durations (minimum and maximum, in milliseconds). */
  from: instant,
  to: instant,
  min: milliseconds,
  max: milliseconds,
  /** Values to leave out, in the filter language: `-instance:w3 -user:19`. */
  exclude: z.string().max(4000).refine(isExclusion).optional().catch(undefined),
});
export type TraceFilterParams = z.infer<typeof TraceFilterParams>;

/** True for a query of excluded values and nothing else. */
function isExclusion(text: string): boolean {
  const { filters } = parseTraceQuery(text);
  return filters?.excluded !== undefined && Object.keys(filters).length === 1;
}

/** Links to all requests above a duration name this as the longest. Milliseconds. */
const NO_MAXIMUM_MS = 999_999_999_999;

/** Reads the filters of a list from an address, and leaves out ends of ranges that have no meaning. */
export function readTraceFilterParams(view: TraceFilterParams): TraceFilterParams {
  const { from, to, min, max, ...rest } = TraceFilterParams.parse(view);
  const isStretch = from !== undefined && to !== undefined && Date.parse(from) <= Date.parse(to);
  const longest = max !== undefined && Number(max) < NO_MAXIMUM_MS ? max : undefined;
  const isSpan = min === undefined || longest === undefined || Number(min) <= Number(longest);
  return { ...rest, from, ...(isStretch && { to }), ...(isSpan && { min, max: longest }) };
}

/** Addresses from before the timeline named its two halves: links of that time are kept in tickets and chats. */
function renameView(view: unknown): unknown {
  return view === 'steps' || view === 'waterfall' ? 'timeline' : view;
}

/** The URL parameters of the signed-in pages. Unreadable ones are ignored. */
export const ViewParams = z.object({
  /** The selected project's id; `all` is what a select offers in place of one. */
  project: z
    .string()
    .regex(/^(?!all$)/)
    .max(1000)
    .optional()
    .catch(undefined),
  ...TraceFilterParams.shape,
  /** Beside a list: what sets its requests apart from others. */
  differences: z.enum(['shown']).optional().catch(undefined),
  /** The `_id` of the open trace. */
  trace: text,
  /** How the open trace is looked at. */
  view: z
    .preprocess(
      renameView,
      z
        .enum(['timeline', 'flow', 'flame', 'sequence', 'files', 'request', 'response', 'performance'])
        .optional(),
    )
    .catch(undefined),
  /** The `stepId` of the selected step. */
  step: text,
  /** Which of its steps are listed: words to find, a type, the failed ones or those of the critical path. */
  find: text,
  kind: StepType.optional().catch(undefined),
  only: z.enum(['errors', 'critical']).optional().catch(undefined),
  /** The open error, the time of errors in days, and the errors that are listed. */
  error: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
  days: z.enum(['1', '30']).optional().catch(undefined),
  state: z.enum(['resolved', 'ignored', 'all']).optional().catch(undefined),
  /** The flow graph: call by call, or each function once, and by what its functions are in lanes. */
  graph: z.enum(['calls', 'functions']).optional().catch(undefined),
  group: z.enum(['file', 'service']).optional().catch(undefined),
  /** The open part of a page that has several. */
  tab: text,
  /** The stats' first and last day or the last hours. */
  start: day,
  end: day,
  last: z.enum(['1h', '6h', '24h']).optional().catch(undefined),
  /** Stats: beside the period before. A trace: beside another one, by its `_id`, or beside the nearest success, also of the release before. */
  compare: z
    .union([z.enum(['previous', 'good', 'before']), z.uuid()])
    .optional()
    .catch(undefined),
  /** The value whose way through the open trace is shown: its step, place and path as JSON. */
  origin: z.string().max(MAX_VALUE_PATH).optional().catch(undefined),
});
export type ViewParams = z.infer<typeof ViewParams>;

/** The parameters to set, and to remove (`undefined`). */
export type ViewChange = { readonly [key in keyof ViewParams]?: ViewParams[key] | undefined };

/** The route that all signed-in pages lie in. */
const route = getRouteApi('/signed-in');

/** The URL's state of a signed-in page. */
export function useViewParams(): ViewParams {
  return route.useSearch();
}

/** The text that a trace's steps are searched for. Empty outside of the signed-in pages, where the first page shows its example. */
export function useStepSearchText(): string {
  const { find } = useSearch({ strict: false });
  return typeof find === 'string' ? find : '';
}

/**
 * Changes the URL's state on the same page: `change({ status: 'error' })`, `change({ trace: undefined })`.
 * Opening a thing is a step that Back undoes; typing and filtering replace (`{ replace: true }`).
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

/** Reads the newest address. The router's own is older while a change made just before is still loading. */
export function useReadAddress(): () => { readonly pathname: string; readonly params: ViewParams } {
  const { history } = useRouter();
  return () => {
    const { pathname, search } = history.location;
    return { pathname, params: ViewParams.parse(parseSearch(search)) };
  };
}
