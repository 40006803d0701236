import { randomBytes } from 'node:crypto';

type Sent = Readonly<Record<string, unknown>>;

interface CheckoutCalls {
  readonly at: Date;
  /** Total number of steps in the trace. */
  readonly steps: number;
  /** False for a request that succeeds. */
  readonly fails?: boolean;
}

const FILES = ['cart', 'price', 'stock', 'mail', 'session', 'search', 'report'];

/**
 * Builds the trace of a checkout that prices one item after the other. Unless `fails` is false, the checkout fails at a country without a
 * tax rate. The steps are a query, HTTP calls, and calls of functions such as `priceOrder`, `priceItem` and `taxFor` in several files. If
 * these are fewer than `steps` steps, the checkout also loads parts of the catalogue with `steps / 5` different functions.
 */
export function checkoutCalls({ at, steps, fails = true }: CheckoutCalls): Sent {
  const flow: Sent[] = [];
  const add = (stepId: string, parentStepId: string | null, more: Sent) => {
    const startTime = new Date(at.getTime() + flow.length).toISOString();
    flow.push({
      stepId,
      parentStepId,
      stepName: stepId,
      stepType: 'function',
      startTime,
      duration: 1,
      ...more,
    });
  };
  const error = fails ? { error: { name: 'TypeError', message: "Cannot read 'rate' of undefined" } } : {};
  add('POST /checkout', null, {
    stepType: 'handler',
    filePath: 'src/routes.ts',
    lineNumber: 12,
    duration: 900,
    ...error,
  });
  add('authenticate', 'POST /checkout', { filePath: 'src/session.ts', lineNumber: 3, duration: 4 });
  add('checkout', 'POST /checkout', { filePath: 'src/checkout.ts', lineNumber: 20, duration: 860, ...error });
  add('loadCart', 'checkout', { filePath: 'src/cart.ts', lineNumber: 7, duration: 40 });
  add('cart-query', 'loadCart', { stepName: 'SELECT carts', stepType: 'database', duration: 32 });
  add('priceOrder', 'checkout', { filePath: 'src/price.ts', lineNumber: 31, duration: 700, ...error });
  const items = steps <= 20 ? 4 : 12;
  for (let item = 0; item < items; item += 1) {
    const isLast = item === items - 1;
    const failure = isLast ? error : {};
    const country = isLast ? 'UK' : 'DE';
    add(`priceItem-${item}`, 'priceOrder', {
      stepName: 'priceItem',
      filePath: 'src/price.ts',
      lineNumber: 44,
      duration: 50,
      ...failure,
    });
    add(`taxFor-${item}`, `priceItem-${item}`, {
      stepName: 'taxFor',
      filePath: 'src/tax.ts',
      lineNumber: 9,
      duration: isLast ? 3 : 1,
      inputs: { country, amount: 100 + item },
      ...failure,
    });
    add(`stock-${item}`, `priceItem-${item}`, {
      stepName: `GET stock.example/items/${item}`,
      stepType: 'http',
      duration: 30,
    });
  }
  const functions = Math.max(1, Math.floor(steps / 5));
  for (let part = 0; flow.length < steps; part += 1) {
    const name = part % functions;
    const round = part - name;
    const parent = name === 0 ? 'loadCart' : `part-${round + Math.floor((name - 1) / 4)}`;
    // True for a helper that many functions call.
    const isHelper = name % 25 === 24;
    const file = isHelper ? 'cache' : FILES[Math.floor(name / 5) % FILES.length];
    add(`part-${part}`, parent, {
      stepName: isHelper ? 'readCache' : `load${file}${name}`,
      filePath: `src/${file}.ts`,
      lineNumber: isHelper ? 1 : name + 50,
      duration: 1 + (part % 9),
    });
  }
  return {
    traceId: randomBytes(16).toString('hex'),
    request: { method: 'POST', path: `/checkout/${steps}`, route: '/checkout/:id' },
    response: { statusCode: fails ? 500 : 200 },
    timing: { startTime: at.toISOString(), duration: 905 },
    ...(fails
      ? { error: { hasError: true, errorMessage: "Cannot read 'rate' of undefined", errorCode: 'TypeError' } }
      : {}),
    flow,
  };
}
