import { join, type Pieces } from './pieces.ts';

const startTime = new Date().toISOString();

/** The members that each trace must have. */
export const REQUIRED = `"request":{"method":"GET","path":"/orders"},"timing":{"startTime":"${startTime}","duration":1}`;
/** The members that each step must have, but for its id. */
export const STEP = `"stepName":"charge","startTime":"${startTime}","duration":1`;

export const SMALL_TRACE = `{${REQUIRED}}`;

type Part = Pieces | string;

/** A body whose list of traces is given. */
export function withTraces(list: Part): Pieces {
  return join('{"service":{"name":"hostile"},"traces":', list, '}');
}

/** A body with one trace, which has another member. */
export function withMember(name: string, value: Part): Pieces {
  return withTraces(join(`[{${REQUIRED},"${name}":`, value, '}]'));
}

/** A body with one trace, whose request has another member. */
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

/** A body with one trace of one step, which has another member. */
export function withStepMember(name: string, value: Part): Pieces {
  return withMember('flow', join(`[{"stepId":"1",${STEP},"${name}":`, value, '}]'));
}

export function withOutputs(value: Part): Pieces {
  return withStepMember('outputs', value);
}
