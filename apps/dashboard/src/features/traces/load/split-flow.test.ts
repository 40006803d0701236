import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFlow } from './split-flow.ts';

const encodeJson = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const joined = (bytes: Uint8Array, stepsInPart: number): unknown => {
  const split = splitFlow(bytes, stepsInPart);
  if (split === undefined) return undefined;
  const answer = JSON.parse(split.frame);
  answer.trace.flow = split.parts.flatMap((part) => JSON.parse(part));
  return answer;
};

describe('a trace split into parts', () => {
  it('is unchanged when the parts are joined, for any values', () => {
    const trace = fc.record({
      request: fc.jsonValue(),
      flow: fc.array(fc.jsonValue()),
      attributes: fc.jsonValue(),
    });
    fc.assert(
      fc.property(trace, fc.integer({ min: 1, max: 5 }), (sent, stepsInPart) => {
        const answer: unknown = JSON.parse(JSON.stringify({ trace: sent }));
        expect(joined(encodeJson(answer), stepsInPart)).toEqual(answer);
      }),
    );
  });

  it('has at most the requested number of steps per part', () => {
    const split = splitFlow(
      encodeJson({ trace: { flow: Array.from({ length: 10 }, (_, index) => ({ index })) } }),
      4,
    );
    expect(split?.parts.map((part) => JSON.parse(part).length)).toEqual([4, 4, 2]);
  });

  it('is split only at the flow of the trace, not at other fields named flow or at strings that look like such a field', () => {
    const answer = {
      trace: { note: '"flow":[1]', request: { flow: [{ a: ']' }] }, flow: [{ b: '\\"],[' }] },
    };
    expect(joined(encodeJson(answer), 1)).toEqual(answer);
  });

  it.each([{}, { trace: {} }, { flow: [1] }, { trace: { flow: null } }])('is undefined for %j', (answer) => {
    expect(splitFlow(encodeJson(answer), 1)).toBeUndefined();
  });

  it('is undefined for truncated JSON', () => {
    const bytes = encodeJson({ trace: { flow: [{ a: 'b' }, [1]] } });
    const end = bytes.indexOf(0x5d, bytes.length - 3);
    for (let length = 0; length <= end; length += 1)
      expect(splitFlow(bytes.subarray(0, length), 1)).toBeUndefined();
  });
});
