import { type CapturedValue, MAX_CHARACTERS } from '@throughline/contract';
import type { TraceDraft } from './trace-draft.ts';

type Put = (draft: TraceDraft, value: CapturedValue) => void;

/** True for a plain object. A test then uses the object's keys as names of headers, variables or attributes. */
function isPlain(value: CapturedValue): value is { readonly [key: string]: CapturedValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('$type' in value);
}

const named = (name: string, value: CapturedValue) => (isPlain(value) ? value : { [name]: value });

function requireText(value: CapturedValue): string {
  if (typeof value !== 'string') throw new Error('only a text can be put there');
  return value;
}

/** Fields that accept any captured value. */
const VALUE_PUTS = {
  'request.headers': (draft, value) => Object.assign(draft.trace.request.headers, named('x-note', value)),
  'request.query': (draft, value) => Object.assign(draft.trace.request.query, named('note', value)),
  'request.body': (draft, value) => Object.assign(draft.trace.request, { body: value }),
  'response.headers': (draft, value) => Object.assign(draft.trace.response.headers, named('x-note', value)),
  'response.body': (draft, value) => Object.assign(draft.trace.response, { body: value }),
  user: (draft, value) => Object.assign(draft.trace.user, named('note', value)),
  'attributes value': (draft, value) => Object.assign(draft.trace.attributes, named('app.note', value)),
  'step.inputs': (draft, value) => Object.assign(draft.step, { inputs: [value] }),
  'step.inputs, nested': (draft, value) =>
    Object.assign(draft.step, { inputs: [{ order: { lines: [{ detail: value }] } }] }),
  'step.outputs': (draft, value) => Object.assign(draft.step, { outputs: value }),
  'step.variables.parameters': (draft, value) =>
    Object.assign(draft.step.variables.parameters, named('options', value)),
  'step.variables.localVariables': (draft, value) =>
    Object.assign(draft.step.variables.localVariables, named('result', value)),
  'step.variables.returnValue': (draft, value) => Object.assign(draft.step.variables, { returnValue: value }),
  'step.variables.thisContext': (draft, value) =>
    Object.assign(draft.step.variables, {
      thisContext: { $type: 'object', class: 'Service', properties: named('state', value) },
    }),
  'step.metadata': (draft, value) => Object.assign(draft.step, { metadata: named('note', value) }),
  'step.error, own property': (draft, value) => Object.assign(draft.step.error, named('detail', value)),
} as const satisfies Readonly<Record<string, Put>>;

interface TextPlace {
  readonly put: (draft: TraceDraft, text: string) => void;
  /** Maximum length of a string in the field. */
  readonly max: number;
}

/** Maximum length of the strings that tests put into a field without a limit. */
const LONG = 100_000;

/** Fields that contain only strings, and fields that contain the name of a value. */
const TEXT_PUTS = {
  'request.path': {
    max: MAX_CHARACTERS.path - 1,
    put: (draft, text) => Object.assign(draft.trace.request, { path: `/${text}` }),
  },
  'request.url': {
    max: MAX_CHARACTERS.url,
    put: (draft, text) => Object.assign(draft.trace.request, { url: text }),
  },
  'request.method': {
    max: MAX_CHARACTERS.method,
    put: (draft, text) => Object.assign(draft.trace.request, { method: text }),
  },
  'request.userAgent': {
    max: MAX_CHARACTERS.userAgent,
    put: (draft, text) => Object.assign(draft.trace.request, { userAgent: text }),
  },
  'header name': {
    max: LONG,
    put: (draft, text) => Object.assign(draft.trace.request.headers, { [text]: 'x' }),
  },
  'query name': {
    max: LONG,
    put: (draft, text) => Object.assign(draft.trace.request.query, { [text]: 'x' }),
  },
  'trace.error.errorMessage': {
    max: MAX_CHARACTERS.errorMessage,
    put: (draft, text) => Object.assign(draft.trace.error, { hasError: true, errorMessage: text }),
  },
  'trace.error.errorCode': {
    max: MAX_CHARACTERS.errorCode,
    put: (draft, text) => Object.assign(draft.trace.error, { hasError: true, errorCode: text }),
  },
  'user.id': {
    max: MAX_CHARACTERS.userId,
    put: (draft, text) => Object.assign(draft.trace.user, { id: text }),
  },
  sessionId: {
    max: MAX_CHARACTERS.sessionId,
    put: (draft, text) => Object.assign(draft.trace, { sessionId: text }),
  },
  'attribute name': {
    max: LONG,
    put: (draft, text) => Object.assign(draft.trace.attributes, { [text]: 'x' }),
  },
  'step.stepName': {
    max: MAX_CHARACTERS.name,
    put: (draft, text) => Object.assign(draft.step, { stepName: text }),
  },
  'step.functionName': {
    max: MAX_CHARACTERS.name,
    put: (draft, text) => Object.assign(draft.step, { functionName: text }),
  },
  'step.filePath': {
    max: MAX_CHARACTERS.filePath,
    put: (draft, text) => Object.assign(draft.step, { filePath: text }),
  },
  'step.error.message': {
    max: LONG,
    put: (draft, text) => Object.assign(draft.step.error, { message: text }),
  },
  'step.error.name': { max: LONG, put: (draft, text) => Object.assign(draft.step.error, { name: text }) },
  'step.error.code': { max: LONG, put: (draft, text) => Object.assign(draft.step.error, { code: text }) },
  'step.error.stack': {
    max: LONG,
    put: (draft, text) =>
      Object.assign(draft.step.error, { stack: `Error: ${text}\n    at charge (/app/src/pay.ts:41:9)` }),
  },
  'key of an object': {
    max: LONG,
    put: (draft, text) => Object.assign(draft.step, { outputs: { seen: { [text]: 1 } } }),
  },
  'key of a Map': {
    max: LONG,
    put: (draft, text) =>
      Object.assign(draft.step, { outputs: { $type: 'Map', size: 1, entries: [[text, 1]] } }),
  },
  'name of a variable': {
    max: LONG,
    put: (draft, text) => Object.assign(draft.step.variables.localVariables, { [text]: 1 }),
  },
  'service.name': {
    max: MAX_CHARACTERS.service,
    put: (draft, text) => Object.assign(draft.service, { name: text }),
  },
  'service.version': {
    max: MAX_CHARACTERS.service,
    put: (draft, text) => Object.assign(draft.service, { version: text }),
  },
  'service.environment': {
    max: MAX_CHARACTERS.service,
    put: (draft, text) => Object.assign(draft.service, { environment: text }),
  },
  'service.release': {
    max: MAX_CHARACTERS.service,
    put: (draft, text) => Object.assign(draft.service, { release: text }),
  },
  'service.instance': {
    max: MAX_CHARACTERS.service,
    put: (draft, text) => Object.assign(draft.service, { instance: text }),
  },
  'service.runtime': {
    max: MAX_CHARACTERS.service,
    put: (draft, text) => Object.assign(draft.service, { runtime: text }),
  },
} as const satisfies Readonly<Record<string, TextPlace>>;

export type ValuePlace = keyof typeof VALUE_PUTS;
export type TextOnlyPlace = keyof typeof TEXT_PUTS;
/** A field of a trace, of its step or of its service. */
export type Where = ValuePlace | TextOnlyPlace;

export const VALUE_PLACES = Object.keys(VALUE_PUTS).filter(isValuePlace);
const TEXT_PLACES = Object.keys(TEXT_PUTS).filter(isTextPlace);

function isValuePlace(where: string): where is ValuePlace {
  return Object.hasOwn(VALUE_PUTS, where);
}

function isTextPlace(where: string): where is TextOnlyPlace {
  return Object.hasOwn(TEXT_PUTS, where);
}

/** Lists the fields that accept a string of this length. */
export function placesForText(length: number): readonly Where[] {
  return [...VALUE_PLACES, ...TEXT_PLACES.filter((where) => TEXT_PUTS[where].max >= length)];
}

/** True for fields of the service, which all traces of a body share. */
export function isServicePlace(where: Where): boolean {
  return where.startsWith('service.');
}

export function putInto(draft: TraceDraft, where: Where, value: CapturedValue): void {
  if (isValuePlace(where)) VALUE_PUTS[where](draft, value);
  else TEXT_PUTS[where].put(draft, requireText(value));
}
