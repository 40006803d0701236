import { StepType } from '../ingest.ts';
import { parseAttributeTerm } from './attribute-term.ts';
import { countReader, readDuration, writeCounts, writeDurations } from './comparisons.ts';
import { findNearestWord } from './nearest-word.ts';
import { MAX_ERROR_IDS, MAX_TRACE_IDS, SOME_ERROR_IDS, SOME_IDS } from './plain-filters.ts';
import { type QueryField, type ReadValue, refuse, type SingleFilters } from './query-field.ts';
import { STATUS_FIELD } from './status-field.ts';
import { parseValueCondition } from './value-condition.ts';

/** Filters whose value can be any string. */
type TextFilter =
  | 'search'
  | 'method'
  | 'route'
  | 'service'
  | 'environment'
  | 'release'
  | 'instance'
  | 'caller'
  | 'user'
  | 'session'
  | 'endpoint'
  | 'feature'
  | 'errorGroup'
  | 'errorText'
  | 'stepName'
  | 'dependency';

type Described = Pick<QueryField, 'name' | 'about' | 'example'> &
  Partial<Pick<QueryField, 'negation' | 'values'>>;

/** Builds a field that sets one filter. */
function defineSingle<Name extends keyof SingleFilters>(
  filter: Name,
  described: Described,
  read: (value: string) => ReadValue,
): QueryField {
  return {
    negation: 'none',
    values: [],
    ...described,
    read,
    write: ({ [filter]: value }) => (value === undefined || value === '' ? [] : [{ value: String(value) }]),
  };
}

function defineText(filter: TextFilter, described: Described, maxLength = 1000): QueryField {
  return defineSingle(filter, described, (value) =>
    value.length > maxLength
      ? refuse(`A value of “${described.name}” has at most ${maxLength.toLocaleString('en')} characters.`)
      : { set: { [filter]: value } },
  );
}

function defineChoice(
  filter: 'stepType' | 'stepStatus',
  described: Described,
  values: readonly string[],
): QueryField {
  return defineSingle(filter, { ...described, values }, (value) => {
    const chosen = values.find((one) => one === value.toLowerCase());
    return chosen === undefined ? refuseWord(value, values) : { set: { [filter]: chosen } };
  });
}

function refuseWord(value: string, words: readonly string[]): ReadValue {
  const near = findNearestWord(value, words);
  return near === undefined
    ? refuse(`“${value}” is none of ${words.join(', ')}.`)
    : refuse(`“${value}” is none of ${words.join(', ')}. Did you mean “${near}”?`, near);
}

const METHOD = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;

const KNOWN = {
  user: ['users', 'known', 'unknown'],
  service: ['services', 'named', 'unnamed'],
  caller: ['callers', 'named', 'unnamed'],
} as const;

const HAS_FIELD: QueryField = {
  name: 'has',
  about: 'Known user (user), service with a name (service) or caller with a name (caller)',
  example: 'has:user',
  negation: 'opposite',
  values: Object.keys(KNOWN),
  read(value, excluded) {
    const name = value.toLowerCase();
    if (name !== 'user' && name !== 'service' && name !== 'caller')
      return refuseWord(value, Object.keys(KNOWN));
    const [filter, present, absent] = KNOWN[name];
    return { set: { [filter]: excluded ? absent : present } };
  },
  write: (filters) =>
    Object.entries(KNOWN).flatMap(([value, [filter, , absent]]) =>
      filters[filter] === undefined ? [] : [{ value, excluded: filters[filter] === absent }],
    ),
};

/** The field of free text. Its name is left out when a query is formatted. */
export const TEXT_FIELD = defineText('search', {
  name: 'text',
  about: 'Part of the path, or a trace ID; the prefix “text:” can be left out',
  example: 'checkout',
});

/** The query language's fields, in the order in which terms are formatted and suggested. */
export const QUERY_FIELDS: readonly QueryField[] = [
  STATUS_FIELD,
  defineSingle(
    'method',
    {
      name: 'method',
      about: 'Method of the request',
      example: 'method:POST',
      negation: 'values',
      values: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
    },
    (value) =>
      METHOD.test(value) && value.toLowerCase() !== 'all'
        ? { set: { method: value.toUpperCase() } }
        : refuse(`“${value}” is not a method. Write a method such as GET.`),
  ),
  defineText(
    'route',
    { name: 'route', about: 'Route of the request', example: 'route:/orders/:id', negation: 'values' },
    8192,
  ),
  {
    name: 'duration',
    about: 'How long the request took',
    example: 'duration:>1s',
    negation: 'none',
    values: ['>100ms', '>500ms', '>1s', '<100ms'],
    read: readDuration,
    write: writeDurations,
  },
  defineText('user', { name: 'user', about: "User's id", example: 'user:19', negation: 'values' }),
  defineText('errorText', {
    name: 'error',
    about: "Part of the error's message",
    example: `error:"reading 'rate'"`,
    negation: 'values',
  }),
  defineText('errorGroup', {
    name: 'errorGroup',
    about: 'Error, as shown on the Errors page',
    example: 'errorGroup:"HTTP 404"',
    negation: 'values',
  }),
  defineSingle(
    'errorIds',
    {
      name: 'errorId',
      about: 'Ids of errors, separated by commas',
      example: 'errorId:0cc175b9c0f1b6a831c399e269772661',
      negation: 'values',
    },
    (value) =>
      value !== '' && SOME_ERROR_IDS.test(value)
        ? { set: { errorIds: value.toLowerCase() } }
        : refuse(`Write 1 to ${MAX_ERROR_IDS} ids of errors, separated by commas.`),
  ),
  defineText('service', {
    name: 'service',
    about: 'Service that received the request',
    example: 'service:shop',
    negation: 'values',
  }),
  defineText('environment', {
    name: 'environment',
    about: 'Environment of the service',
    example: 'environment:production',
    negation: 'values',
  }),
  defineText('release', {
    name: 'release',
    about: 'Release of the service',
    example: 'release:1.4.2',
    negation: 'values',
  }),
  defineText(
    'instance',
    {
      name: 'instance',
      about: 'Process that received the request',
      example: 'instance:w3',
      negation: 'values',
    },
    255,
  ),
  defineSingle(
    'country',
    {
      name: 'country',
      about: "Country of the client's network; ZZ means unknown",
      example: 'country:GB',
      negation: 'values',
    },
    (value) =>
      /^[A-Za-z]{2}$/.test(value)
        ? { set: { country: value.toUpperCase() } }
        : refuse(`“${value}” is not a country. Write its two letters, such as GB.`),
  ),
  defineText('session', {
    name: 'session',
    about: "Session's id",
    example: 'session:s17',
    negation: 'values',
  }),
  defineText(
    'endpoint',
    {
      name: 'endpoint',
      about: 'Endpoint, as shown in Analytics',
      example: 'endpoint:/orders/:id',
      negation: 'values',
    },
    8192,
  ),
  defineText(
    'feature',
    {
      name: 'feature',
      about: 'First part of the endpoint',
      example: 'feature:orders',
      negation: 'values',
    },
    8192,
  ),
  defineText(
    'stepName',
    { name: 'step', about: "A step's name", example: 'step:charge', negation: 'values' },
    10_000,
  ),
  defineChoice(
    'stepType',
    { name: 'stepType', about: 'Type of the step', example: 'stepType:database' },
    StepType.options,
  ),
  defineChoice(
    'stepStatus',
    { name: 'stepStatus', about: 'Outcome of the step', example: 'stepStatus:error' },
    ['success', 'error'],
  ),
  defineText('dependency', {
    name: 'dependency',
    about: 'Target that the step calls',
    example: 'dependency:postgresql',
  }),
  {
    name: 'calls',
    about: 'Number of calls of the step in the request',
    example: 'calls:>=8',
    negation: 'none',
    values: ['>=2', '>=10'],
    read: countReader('minCalls', undefined),
    write: ({ minCalls }) => writeCounts(minCalls, undefined),
  },
  {
    name: 'steps',
    about: 'Number of steps',
    example: 'steps:>=100',
    negation: 'none',
    values: ['>=10', '>=100', '<=10'],
    read: countReader('minSteps', 'maxSteps'),
    write: ({ minSteps, maxSteps }) => writeCounts(minSteps, maxSteps),
  },
  defineSingle(
    'attribute',
    {
      name: 'attribute',
      about: 'Attribute of the request or of a step: name:value, or a name',
      example: 'attribute:plan:gold',
      negation: 'values',
    },
    (value) => {
      if (value.length > 1000) return refuse('A value of “attribute” has at most 1,000 characters.');
      return parseAttributeTerm(value) === undefined
        ? refuse(
            `“${value}” is not an attribute. Write name:value or a name; put a name with a colon in quotes.`,
          )
        : { set: { attribute: value } };
    },
  ),
  defineSingle(
    'value',
    {
      name: 'value',
      about: 'Captured value: text, or a member of an argument, a result or a body',
      example: 'value:charge.order.totalCents>50000',
      negation: 'values',
    },
    (value) => {
      if (value.length > 1000) return refuse('A value of “value” has at most 1,000 characters.');
      const { problem } = parseValueCondition(value);
      return problem === undefined ? { set: { value } } : refuse(problem);
    },
  ),
  defineText('caller', { name: 'caller', about: 'Service that sent the request', example: 'caller:search' }),
  HAS_FIELD,
  defineSingle(
    'requests',
    {
      name: 'id',
      about: 'Ids of traces, separated by commas',
      example: 'id:0192f3c4-5a6b-7c8d-9e0f-112233445566',
    },
    (value) =>
      SOME_IDS.test(value)
        ? { set: { requests: value.toLowerCase() } }
        : refuse(`Write 1 to ${MAX_TRACE_IDS} ids of traces, separated by commas.`),
  ),
  TEXT_FIELD,
];

export function findQueryField(name: string): QueryField | undefined {
  const wanted = name.toLowerCase();
  return QUERY_FIELDS.find((field) => field.name.toLowerCase() === wanted);
}
