import { join, type Pieces } from './pieces.ts';

const startTime = new Date().toISOString();

/** The required members of a trace. */
export const REQUIRED = `"request":{"method":"GET","path":"/orders"},"timing":{"startTime":"${startTime}","duration":1}`;
/** The required members of a step, except its id. */
export const STEP = `"stepName":"charge","startTime":"${startTime}","duration":1`;

export const SMALL_TRACE = `{${REQUIRED}}`;

type Part = Pieces | string;

/** Builds a body with the given list of traces. */
export function withTraces(list: Part): Pieces {
  return join('{"service":{"name":"hostile"},"traces":', list, '}');
}

/** Builds a body with one trace that has one extra member. */
export function withMember(name: string, value: Part): Pieces {
  return withTraces(join(`[{${REQUIRED},"${name}":`, value, '}]'));
}

/** Builds a body with one trace whose request has one extra member. */
function withRequestMember(name: string, value: Part): Pieces {
  const [before = '', after = ''] = REQUIRED.split('},"timing"');
  return withTraces(join(`[{${before},"${name}":`, value, `},"timing"${after}}]`));
}

export function withBody(value: Part): Pieces {
  return withRequestMember('body', value);
}

export function withHeaders(value: Part): Pieces {
  return withRequestMember('headers', value);
}

/** Builds a body with one trace of one step, which has one extra member. */
export function withStepMember(name: string, value: Part): Pieces {
  return withMember('flow', join(`[{"stepId":"1",${STEP},"${name}":`, value, '}]'));
}

export function withOutputs(value: Part): Pieces {
  return withStepMember('outputs', value);
}
