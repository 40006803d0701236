import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeError, formatStackWithCauses } from './error.ts';
import { takeFirstUnits } from './text.ts';

const prepareStackTrace = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
afterEach(() => {
  if (prepareStackTrace) Object.defineProperty(Error, 'prepareStackTrace', prepareStackTrace);
  else Reflect.deleteProperty(Error, 'prepareStackTrace');
});

class PaymentError extends Error {
  override name = 'PaymentError';
  code = 402;
}

describe('a thrown value', () => {
  it('is described by its message, name, code and stack', () => {
    // Restores Node's formatting of stacks, which the test runner replaces.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const error = new PaymentError('card declined');
    expect(describeError(error, takeFirstUnits)).toMatchObject({
      message: 'card declined',
      name: 'PaymentError',
      code: '402',
    });
    expect(formatStackWithCauses(error, takeFirstUnits)).toContain('error.test.ts');
  });

  it('is described by class, status and stack if its message is an object', () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    class HttpException extends Error {
      readonly status: number;
      constructor(response: object, status: number) {
        super();
        Object.assign(this, { message: response });
        this.status = status;
      }
    }
    const error = new HttpException({ errors: { article: 'not found', tried: [1, 'two', null] } }, 404);
    expect(describeError(error, takeFirstUnits)).toEqual({
      message: '{"errors":{"article":"not found","tried":[1,"two",null]}}',
      name: 'HttpException',
      code: '404',
    });
    expect(formatStackWithCauses(error, takeFirstUnits)).toContain('error.test.ts');
  });

  it('is described without running code of an object used as its message', () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const ran = vi.fn(() => 'no');
    const circle: Record<string, unknown> = { a: 1 };
    circle.self = circle;
    const messages: readonly (readonly [object, string])[] = [
      [Object.defineProperty({}, 'field', { get: ran, enumerable: true }), '{"field":"…"}'],
      [{ toString: ran }, '{"toString":"function Mock"}'],
      [{ [Symbol.toPrimitive]: ran, toJSON: ran }, '{"toJSON":"function Mock"}'],
      [new Proxy({ a: 1 }, { get: ran, ownKeys: () => [ran()] }), '"…"'],
      [circle, '{"a":1,"self":{"a":1,"self":{"a":1,"self":{…}}}}'],
    ];
    for (const [message, text] of messages) {
      const error = Object.assign(new Error('first'), { message });
      expect(describeError(error, takeFirstUnits).message.replace(/function \w*/g, 'function Mock')).toBe(
        text,
      );
      formatStackWithCauses(error, takeFirstUnits);
    }
    expect(ran).not.toHaveBeenCalled();
  });

  it('is described with its causes, each with its stack, up to a limit', () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const inner = new RangeError('no such row');
    const outer = new Error('query failed', { cause: new TypeError('bad id', { cause: inner }) });
    const parts = formatStackWithCauses(outer, takeFirstUnits)?.split('\n[cause]: ') ?? [];
    expect(parts.map((part) => part.split('\n')[0])).toEqual([
      'Error: query failed',
      'TypeError: bad id',
      'RangeError: no such row',
    ]);
    for (const part of parts) expect(part).toContain('error.test.ts');
    expect(formatStackWithCauses(new Error('x', { cause: 'the disk is full' }), takeFirstUnits)).toMatch(
      /\n\[cause\]: the disk is full$/,
    );
    const circle = new Error('circle');
    circle.cause = circle;
    expect(formatStackWithCauses(circle, takeFirstUnits)?.split('[cause]: ')).toHaveLength(6);
  });

  it('is described without running getters, even if the host formats stacks as ts-node does', () => {
    const getter = vi.fn(() => 'no');
    const error = new Error('x');
    Object.defineProperty(error, 'cause', { get: getter });
    Object.defineProperty(error, 'name', { get: getter });
    const format = vi.fn();
    Error.prepareStackTrace = function prepareStackTrace(of, frames) {
      const wrapCallSite = format;
      return `${of.name} ${wrapCallSite(frames)}`;
    };
    expect(describeError(error, takeFirstUnits)).toEqual({ message: 'x' });
    expect(formatStackWithCauses(error, takeFirstUnits)).toBeUndefined();
    expect(getter).not.toHaveBeenCalled();
    expect(format).not.toHaveBeenCalled();
    expect(formatStackWithCauses(new Error('plain'), takeFirstUnits)).toBe('Error undefined');
    expect(format).toHaveBeenCalledOnce();
  });

  it.each(['own', 'inherited', 'a proxy', 'an object'] as const)(
    'is described without its stack if formatting the stack would run host code: %s',
    (kind) => {
      Reflect.deleteProperty(Error, 'prepareStackTrace');
      const bite = vi.fn(() => 'bitten');
      class Named extends Error {
        override get name() {
          return bite();
        }
      }
      const error = kind === 'inherited' ? new Named('said') : new Error('said');
      if (kind === 'own') Object.defineProperty(error, 'name', { get: bite });
      if (kind === 'a proxy') Object.setPrototypeOf(error, new Proxy(Error.prototype, { get: bite }));
      if (kind === 'an object') Object.defineProperty(error, 'name', { value: { toString: bite } });
      expect(describeError(error, takeFirstUnits)).toMatchObject({ message: 'said' });
      expect(formatStackWithCauses(error, takeFirstUnits)).toBeUndefined();
      expect(bite).not.toHaveBeenCalled();
      expect(`${error.stack}`).toContain('said');
      expect(bite).toHaveBeenCalled();
    },
  );

  it('is described with its stack if its message is not a string', () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    for (const message of [undefined, null, 5]) {
      const error = Object.assign(new Error('said'), { message });
      expect(formatStackWithCauses(error, takeFirstUnits)).toContain('error.test.ts');
    }
    expect(formatStackWithCauses(new DOMException('said', 'AbortError'), takeFirstUnits)).toContain(
      'AbortError: said',
    );
  });

  it.each([undefined, null, 'text', {}])(
    'is described with its stack if Error.prepareStackTrace is %s',
    (nothing) => {
      Object.defineProperty(Error, 'prepareStackTrace', {
        value: nothing,
        configurable: true,
        writable: true,
      });
      expect(formatStackWithCauses(new Error('said'), takeFirstUnits)).toContain('error.test.ts');
    },
  );

  it('is described without its stack if the host itself formats stacks', () => {
    const format = vi.fn(() => 'formatted');
    Error.prepareStackTrace = format;
    const error = new Error('x');
    expect(describeError(error, takeFirstUnits)).toEqual({ message: 'x', name: 'Error' });
    expect(formatStackWithCauses(error, takeFirstUnits)).toBeUndefined();
    expect(format).not.toHaveBeenCalled();
  });

  it.each<[unknown, string]>([
    ['just text', 'just text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, '7'],
    [7n, 'a bigint was thrown'],
    [Symbol('s'), 'a symbol was thrown'],
    [function stop() {}, 'function stop was thrown'],
    [{ message: 'not an Error' }, 'not an Error'],
    [{}, 'an object without a message was thrown'],
    [{ message: 5 }, 'an object without a message was thrown'],
    [new Proxy(new Error('x'), {}), 'a Proxy was thrown'],
    [Object.create(null), 'an object without a message was thrown'],
    [new DOMException('aborted', 'AbortError'), 'aborted'],
    ['é'.repeat(2000), `${'é'.repeat(1000)}… (2000 characters)`],
  ])('that is not an Error is described as text: %s', (thrown, message) => {
    expect(describeError(thrown, takeFirstUnits).message).toBe(message);
  });

  it('is described without running any getter', () => {
    const getter = vi.fn(() => 'no');
    const error = new Error('x');
    for (const key of ['message', 'name', 'stack', 'code'])
      Object.defineProperty(error, key, { get: getter });
    expect(describeError(error, takeFirstUnits)).toEqual({
      message: 'an object without a message was thrown',
    });
    expect(formatStackWithCauses(error, takeFirstUnits)).toBeUndefined();
    expect(getter).not.toHaveBeenCalled();
  });
});
