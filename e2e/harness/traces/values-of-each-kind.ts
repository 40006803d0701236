import { plainRequest } from './traces.ts';

/** Values of every kind that the SDK captures: complete, truncated and redacted values, and references. */
const values = {
  text: 'Bücher & “quotes” 👩‍👩‍👧‍👦',
  long: { $type: 'string', value: 'begins here and goes on '.repeat(10), length: 14_203 },
  count: 12,
  price: { $type: 'bigint', value: '900719925474099267' },
  nothing: null,
  entry: { $type: 'undefined' },
  rate: { $type: 'number', value: 'NaN' },
  isFirst: true,
  at: { $type: 'Date', value: '2026-11-20T09:15:00.000Z' },
  pattern: { $type: 'RegExp', source: '^/api/(v\\d+)/', flags: 'iu' },
  rates: {
    $type: 'Map',
    size: 27,
    entries: [
      ['DE', { name: 'MwSt', rate: 0.19 }],
      ['FR', { name: 'TVA', rate: 0.2 }],
    ],
  },
  tags: { $type: 'Set', size: 2, values: ['new', 'sale'] },
  photo: { $type: 'Buffer', size: 4096, base64: 'iVBORw0KGgo=' },
  items: { $type: 'array', values: [{ id: 1, quantity: 6 }], length: 481 },
  customer: {
    $type: 'object',
    class: 'Customer',
    properties: { name: 'Ada Okafor', password: { $type: 'redacted', of: 'string' }, country: 'UK' },
  },
  token: { $type: 'redacted', of: 'string' },
  onDone: { $type: 'function', name: 'onDone' },
  deep: { $type: 'cut', of: 'object', size: 14, reason: 'depth' },
  total: { $type: 'accessor' },
};

/**
 * Builds the trace of a request whose steps contain every kind of value, a query, an HTTP call, a failure with its cause, and an aggregate
 * of calls.
 */
export function valuesOfEachKind(at: Date): Readonly<Record<string, unknown>> {
  const step = (stepId: string, ms: number, duration: number, more: Readonly<Record<string, unknown>>) => ({
    stepId,
    stepName: stepId,
    functionName: stepId,
    stepType: 'function',
    parentStepId: 'checkout',
    startTime: new Date(at.getTime() + ms).toISOString(),
    duration,
    filePath: 'src/checkout/checkout.ts',
    lineNumber: 31,
    ...more,
  });
  const stack = [
    'PriceError: no price for 9001',
    '    at priceOf (src/checkout/prices.ts:12:11)',
    '    at checkout (src/checkout/checkout.ts:31:20)',
    'caused by: TypeError: Cannot read properties of undefined (reading "rate")',
    '    at rateOf (src/checkout/rates.ts:7:22)',
  ].join('\n');
  return {
    ...plainRequest('/every-kind', at),
    request: { method: 'POST', path: '/every-kind' },
    response: { statusCode: 500 },
    timing: { startTime: at.toISOString(), duration: 640 },
    error: { hasError: true, errorMessage: 'no price for 9001', errorCode: 'PriceError' },
    dropped: { steps: 12, values: 3, bytes: 70_123 },
    flow: [
      step('checkout', 0, 638, { parentStepId: null, stepType: 'handler' }),
      step('everyKind', 2, 40, {
        inputs: values,
        outputs: values.rates,
        variables: {
          capturedAt: 'exit',
          parameters: { text: values.text },
          localVariables: values,
          returnValue: values.rates,
          thisContext: values.customer,
        },
      }),
      step('SELECT', 50, 20, {
        stepType: 'database',
        inputs: {
          statement:
            'SELECT p.id, p.name, sum(i.quantity) AS sold FROM products p JOIN cart_items i ON i.product_id = p.id WHERE p.category = ? AND i.at > ? GROUP BY p.id, p.name ORDER BY sold DESC LIMIT ?',
          parameters: [{ $type: 'redacted', of: 'string' }],
        },
        metadata: { 'db.system.name': 'postgresql', 'db.namespace': 'shop', rows: 3 },
      }),
      step('POST pay.example/charge', 80, 400, {
        stepType: 'http',
        inputs: {
          method: 'POST',
          url: 'https://pay.example/charge',
          headers: { authorization: { $type: 'redacted', of: 'string' }, 'content-type': 'application/json' },
          body: { amount: 4414, currency: 'EUR' },
        },
        outputs: { statusCode: 201, body: { id: 'ch_17' } },
      }),
      step('loadPart', 485, 90, { repeat: { count: 312, minMs: 0.1, sumMs: 90, maxMs: 3.2, errors: 2 } }),
      step('priceOf', 600, 12, {
        filePath: 'src/checkout/prices.ts',
        lineNumber: 12,
        variables: {
          capturedAt: 'throw',
          parameters: { productId: 9001 },
          localVariables: { entry: { $type: 'undefined' }, rates: values.rates },
        },
        error: { name: 'PriceError', message: 'no price for 9001', code: 'E_PRICE', stack },
      }),
    ],
  };
}
