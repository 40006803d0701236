import type { CapturedValue, Step, ValuePlace } from '@throughline/contract';
import { parseBody } from '@throughline/contract/captured';
import type { StoredTrace } from '../store.ts';

/** A part of a trace that contains values. */
export interface Place {
  /** Undefined for a part of the request itself. */
  readonly step: Step | undefined;
  readonly place: ValuePlace;
  readonly value: CapturedValue;
}

/** Lists the parts of the request itself: the parts that precede the first step, and the parts that follow the last step. */
export function listRequestPlaces(trace: StoredTrace): readonly Place[] {
  return [
    { step: undefined, place: 'request.path', value: trace.path },
    ...readPart('request.query', trace.request_query),
    ...readPart('request.headers', trace.request_headers),
    ...readPart('request.body', trace.request_body),
    ...readPart('response.headers', trace.response_headers),
    ...readPart('response.body', trace.response_body),
  ];
}

function readPart(place: ValuePlace, json: string): readonly Place[] {
  if (json === '') return [];
  const value: CapturedValue = JSON.parse(json);
  // The page shows the members of a body that was captured as text, so users can ask where such a member came from.
  return [{ step: undefined, place, value: place.endsWith('.body') ? (parseBody(value) ?? value) : value }];
}

export function listStepPlaces(step: Step): readonly Place[] {
  const { inputs, outputs, variables, metadata, error } = step;
  const places: readonly (readonly [ValuePlace, CapturedValue | undefined])[] = [
    ['inputs', inputs],
    ['localVariables', variables?.localVariables],
    ['parameters', variables?.parameters],
    ['thisContext', variables?.thisContext],
    ['outputs', outputs],
    ['returnValue', variables?.returnValue],
    ['metadata', metadata],
    ['error', error === null ? undefined : writeError(error)],
  ];
  return places.flatMap(([place, value]) => (value === undefined ? [] : [{ step, place, value }]));
}

/** Leaves out the stack, which does not contain values of the program. */
function writeError({ message, code }: NonNullable<Step['error']>): CapturedValue {
  return { message, ...(code === undefined ? {} : { code }) };
}
