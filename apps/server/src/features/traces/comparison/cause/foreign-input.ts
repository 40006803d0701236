import type { ComparisonStatement, Step } from '@throughline/contract';
import type { StoredTrace } from '../../store.ts';
import { identifyCall } from '../align-steps.ts';
import { flatten } from '../call-history.ts';
import { parseValue } from '../good-request/choose-good-request.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/**
 * Minimum number of calls, and of distinct values in these calls. With fewer, an input of a function and a text of the request could be
 * equal by chance.
 */
const MIN = { calls: 3, values: 2 } as const;
/** Maximum number of the function's calls that are compared per successful request. */
const MAX_CALLS = 50;

interface Request {
  readonly trace: StoredTrace;
  readonly steps: readonly Step[];
}
type Texts = ReadonlyMap<string, string>;

/**
 * Finds an input of a function that differs from a text of the request, if both were equal in all successful requests. The input is
 * probably from another request.
 */
export function findForeignInput(
  step: Step,
  request: Request,
  goods: readonly Request[],
): ComparisonStatement | undefined {
  const key = identifyCall(step);
  const calls = goods.flatMap((good) => {
    const same = good.steps.filter((each) => identifyCall(each) === key);
    if (same.length === 0) return [];
    const sent = listSent(good.trace);
    return same.slice(0, MAX_CALLS).map((call) => ({ inputs: listInputs(call), sent }));
  });
  if (calls.length < MIN.calls) return undefined;
  const allSent = listSent(request.trace);
  for (const [name, value] of listInputs(step)) {
    for (const [place, sent] of allSent) {
      const isEqual = ({ inputs, sent: other }: (typeof calls)[number]) =>
        inputs.has(name) && inputs.get(name) === other.get(place);
      if (!calls.every(isEqual) || new Set(calls.map(({ inputs }) => inputs.get(name))).size < MIN.values)
        continue;
      if (isAlike(sent, value)) continue;
      return {
        text: `\`${name}\` is ${writeSide(value)} in \`${nameStep(step)}\`, but ${place} of the request is ${writeSide(sent)}; in other requests both are always equal`,
        step: step.stepId,
        other: null,
      };
    }
  }
  return undefined;
}

function listInputs({ inputs }: Step): Texts {
  return new Map(
    flatten(inputs).flatMap(({ path, value }) =>
      typeof value === 'string' ? [[path.join('.'), value] as const] : [],
    ),
  );
}

/** Lists the texts that a client sent. The key describes the position of the text, such as `segment 1 of the path`. */
function listSent(trace: StoredTrace): Texts {
  const sent = new Map<string, string>();
  for (const [index, segment] of trace.path.split('/').entries()) {
    if (segment !== '') sent.set(`segment ${index} of the path`, segment);
  }
  const parts = [
    ['header', trace.request_headers],
    ['query parameter', trace.request_query],
    ['body field', trace.request_body],
  ] as const;
  for (const [part, json] of parts) {
    for (const { path, value } of flatten(parseValue(json ?? ''))) {
      if (typeof value === 'string') sent.set(`${part} \`${path.join('.')}\``, value);
    }
  }
  return sent;
}

/** True for texts that differ only in case, white space or Unicode form: the service can have normalized a text that it received. */
function isAlike(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => text.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase());
  return one === other;
}
