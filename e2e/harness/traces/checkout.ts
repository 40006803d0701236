interface Checkout {
  readonly at: Date;
  /** Country of the request. A request with "UK" fails, because the table of tax rates has no row for it. */
  readonly country: 'UK' | 'GB' | 'DE';
  readonly user: string;
  /** True to send the source code of the functions. */
  readonly withSource?: boolean;
}

/** Source code of the functions of `src/checkout.ts`, with the number of each function's first line. */
const SOURCE = {
  taxFor: {
    line: 15,
    text: `export function taxFor(country: string, total: number): number {
  // VAT by country, as of January
  const entry = RATES.get(country);
  const rate = entry.rate;
  const tax = total * rate;
  return tax;
}`,
  },
  placeOrder: {
    line: 26,
    text: `export async function placeOrder(order: Order): Promise<Receipt> {
  const { country, total } = order;
  const gateway = connect({ apiKey: 'plum-tree-9' });
  await reserve(order);
  const tax = taxFor(country, total);
  return charge(total + tax);
}`,
  },
  charge: {
    line: 40,
    text: `function charge(amount: number) {
${Array.from({ length: 80 }, (_, at) => `  log('step ${at}', amount);`).join('\n')}
  return send(amount);
}`,
  },
} as const;

const RATES = { GB: 0.2, DE: 0.19 } as const;
const MESSAGE = "Cannot read properties of undefined (reading 'rate')";

/** Builds the trace of a checkout that looks up a tax rate by country, and fails if there is no rate. */
export function checkoutTrace({
  at,
  country,
  user,
  withSource = false,
}: Checkout): Readonly<Record<string, unknown>> {
  const rate = country === 'UK' ? undefined : RATES[country];
  const failed = rate === undefined;
  const stack = [
    `TypeError: ${MESSAGE}`,
    '    at taxFor (/app/src/checkout.ts:18:24)',
    '    at next (/app/node_modules/express/lib/route.js:149:13)',
    '    at node:internal/process/task_queues:105:5',
    '    at async placeOrder (/app/src/checkout.ts:30:5)',
  ].join('\n');
  const error = { name: 'TypeError', message: MESSAGE, stack };
  const total = 100;
  const step = (
    stepId: keyof typeof SOURCE,
    parentStepId: string | null,
    [from, duration]: readonly [number, number],
    more: object,
  ) => ({
    stepId,
    parentStepId,
    stepName: stepId,
    functionName: stepId,
    stepType: 'function',
    filePath: 'src/checkout.ts',
    lineNumber: withSource ? SOURCE[stepId].line : 10,
    startTime: new Date(at.getTime() + from).toISOString(),
    duration,
    ...more,
  });
  return {
    request: {
      method: 'POST',
      path: '/checkout',
      route: '/checkout',
      headers: {},
      body: { country, total, user },
    },
    response: { statusCode: failed ? 500 : 200 },
    timing: { startTime: at.toISOString(), duration: 20 },
    ...(failed ? { error: { hasError: true, errorMessage: MESSAGE } } : {}),
    ...(withSource && {
      sources: [{ file: 'src/checkout.ts', version: 'aB3_-9xyz012', functions: Object.values(SOURCE) }],
    }),
    flow: [
      step('placeOrder', null, [0, 20], {
        stepType: 'handler',
        inputs: { order: { country, total, user } },
        ...(failed ? { error } : { outputs: { paid: total * (1 + rate) } }),
      }),
      step('taxFor', 'placeOrder', [2, 4], {
        inputs: { country, total },
        variables: {
          capturedAt: failed ? 'throw' : 'return',
          parameters: { country, total },
          localVariables: { entry: failed ? { $type: 'undefined' } : { rate } },
          ...(failed ? {} : { returnValue: total * rate }),
        },
        ...(failed ? { error } : {}),
      }),
      ...(failed ? [] : [step('charge', 'placeOrder', [7, 12], { inputs: { amount: total * (1 + rate) } })]),
    ],
  };
}
