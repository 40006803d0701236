import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findFirstDifference, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

const PROMISE = { $type: 'object', class: 'Promise', properties: {} };
const UNDEFINED = { $type: 'undefined' };

interface Order {
  readonly email: string;
  readonly customer: CapturedValue;
  /** The calls that create the customer, if there are any. */
  readonly creates?: readonly Call[];
  readonly throws?: string;
}

/** Builds the trace of a request that stores an order, and first looks up the order's customer. */
function traceOrder({ email, customer, creates = [], throws }: Order): ReadTrace {
  const ended = throws === undefined ? { returns: 9001 } : { throws };
  return readCalls(
    {
      name: 'placeOrder',
      inputs: { email },
      locals: { customer },
      ...ended,
      calls: [
        { name: 'findCustomer', inputs: { email }, returns: creates.length > 0 ? UNDEFINED : customer },
        ...creates,
        { name: 'takeSeats', inputs: { seats: 2 }, returns: 'hamlet' },
        { name: 'insertOrder', inputs: { customerId: throws === undefined ? 3 : UNDEFINED }, ...ended },
      ],
    },
    { email },
  );
}

function say(failed: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findFirstDifference(failed, right, further);
}

const customer = (id: number, email: string) => ({ id, email });
const GOODS = ['ada@example.org', 'bob@example.org', 'cleo@example.org'].map((email, id) =>
  traceOrder({ email, customer: customer(id, email) }),
);

test('a promise in a variable of a caller is described as the cause of the error if the variable contains no promise in successful requests', () => {
  const failed = traceOrder({
    email: 'greta@example.org',
    customer: PROMISE,
    creates: [{ name: 'createCustomer', inputs: { email: 'greta@example.org' }, returns: PROMISE }],
    throws: 'customer_id must not be null',
  });
  expect(say(failed, GOODS)).toMatchObject({
    text: expect.stringContaining('`customer` is Promise {} instead of { id: 0, email: "ada@example.org" }'),
    step: '1',
  });
});

test('a promise in a variable that also contains promises in successful calls is not described', () => {
  const goods = ['ada@example.org', 'bob@example.org', 'cleo@example.org'].map((email) =>
    traceOrder({ email, customer: PROMISE }),
  );
  const failed = traceOrder({ email: 'greta@example.org', customer: PROMISE, throws: 'no seats' });
  expect(say(failed, goods)?.text).not.toContain('Promise');
});
