import { randomBytes } from 'node:crypto';

type Sent = Readonly<Record<string, unknown>>;

/** Markup that would set `window.ran` if a page inserted captured text as markup, as a URL or as a script. */
const MARKUP = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>"><svg onload=window.ran=1>';
const SCRIPT = 'javascript:window.ran=1';
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is captured text, not a template of the test
const ODD = '‮gpj.exe‬ مرحبا 👩‍👩‍👧‍👦🏳️‍🌈 \u001b[31mred\u001b[0m ${window.ran=1} {{window.ran=1}}';
const LONG = 'W'.repeat(3_000);
const NAMES = [MARKUP, SCRIPT, ODD, LONG, '', ' ', '__proto__', 'constructor', '../../etc/passwd'];

/**
 * Builds the trace of a request whose names, paths, values and errors are hostile text: markup, scripts, long, right-to-left and invisible
 * text.
 */
export function hostileText(at: Date): Sent {
  const values = {
    [MARKUP]: MARKUP,
    [LONG]: LONG,
    '__proto__ ': [SCRIPT, ODD],
    link: SCRIPT,
    html: { $type: 'Map', entries: [[MARKUP, ODD]] },
  };
  const error = {
    name: MARKUP,
    message: `${MARKUP} ${ODD} ${LONG}`,
    code: MARKUP,
    stack: `${MARKUP}\n    at ${SCRIPT} (${LONG})`,
  };
  const flow = NAMES.map((name, index) => ({
    stepId: `${index} ${name.slice(0, 100)}`,
    parentStepId: index < 2 ? null : `0 ${MARKUP.slice(0, 100)}`,
    stepName: name,
    stepType: ['handler', 'database', 'http', 'cache', 'queue', 'middleware', 'log', 'function', 'custom'][
      index
    ],
    functionName: name,
    filePath: `${name.slice(0, 3000)}/${MARKUP}.ts`,
    lineNumber: index,
    startTime: at.toISOString(),
    duration: index,
    inputs:
      index === 1
        ? { statement: `select '${MARKUP}' -- ${ODD}` }
        : { method: 'GET', url: `http://x/${MARKUP}`, ...values },
    outputs: values,
    variables: {
      parameters: values,
      localVariables: values,
      returnValue: MARKUP,
      thisContext: values,
      seenBefore: { [MARKUP]: [`0 ${MARKUP.slice(0, 100)}`, MARKUP] },
    },
    metadata: {
      'db.system.name': MARKUP,
      'db.namespace': ODD,
      'messaging.system': SCRIPT,
      'server.address': MARKUP,
      ...values,
    },
    ...(index % 3 === 0 ? { error } : {}),
  }));
  return {
    traceId: randomBytes(16).toString('hex'),
    request: {
      method: MARKUP.slice(0, 60),
      path: `/${MARKUP}${ODD}${LONG}`,
      route: `/${MARKUP}`,
      url: SCRIPT,
      headers: values,
      query: values,
      body: values,
      ip: MARKUP,
      userAgent: MARKUP,
    },
    response: { statusCode: 500, headers: values, body: MARKUP },
    timing: { startTime: at.toISOString(), duration: 1234 },
    error: { hasError: true, errorMessage: `${MARKUP} ${LONG}`, errorCode: MARKUP },
    user: { id: MARKUP },
    sessionId: MARKUP,
    attributes: values,
    flow,
  };
}

/** Builds the trace of a request with `steps` steps. `more` returns the additional fields of each step. */
export function requestWith(path: string, at: Date, steps: number, more: (index: number) => Sent): Sent {
  return {
    traceId: randomBytes(16).toString('hex'),
    request: { method: 'GET', path },
    response: { statusCode: 200 },
    timing: { startTime: at.toISOString(), duration: Math.max(1, steps / 10) },
    flow: Array.from({ length: steps }, (_, index) => ({
      stepId: `s${index}`,
      parentStepId: index === 0 ? null : `s${Math.floor((index - 1) / 20)}`,
      stepName: `load${index % 97}`,
      stepType: index % 5 === 0 ? 'database' : 'function',
      filePath: `src/part${(index % 97) % 7}.ts`,
      lineNumber: 1 + (index % 97),
      startTime: new Date(at.getTime() + Math.floor(index / 10)).toISOString(),
      duration: index % 11,
      ...more(index),
    })),
  };
}

/**
 * Builds requests of unusual shapes, for example with steps that are deeply nested, have no parent, are earlier than the request, or have a
 * duration of zero.
 */
export function oddShapes(
  at: Date,
): readonly { readonly path: string; readonly steps: number; readonly trace: Sent }[] {
  const time = (ms: number) => new Date(at.getTime() + ms).toISOString();
  const shapes: readonly (readonly [path: string, steps: number, more: (index: number) => Sent])[] = [
    ['/one', 1, () => ({})],
    ['/ten', 10, () => ({})],
    ['/hundreds', 300, () => ({})],
    ['/deep', 5000, (index) => ({ parentStepId: index === 0 ? null : `s${index - 1}` })],
    ['/orphans', 40, (index) => ({ parentStepId: `gone${index}` })],
    ['/rings', 30, (index) => ({ parentStepId: `s${(index + 1) % 30}` })],
    ['/twice', 30, (index) => ({ stepId: `s${index % 3}`, parentStepId: null })],
    [
      '/clocks',
      30,
      (index) => ({
        startTime: time((index % 2 === 0 ? -1 : 1) * index * 3_600_000),
        endTime: time(-index),
        duration: index,
      }),
    ],
    ['/nothing-long', 30, () => ({ startTime: time(0), duration: 0 })],
    ['/very-long', 30, (index) => ({ duration: 3e10 / (index + 1) })],
    [
      '/repeats',
      30,
      (index) => ({ stepName: 'same', repeat: { count: 1000 + index, minMs: 0, sumMs: 5, maxMs: 1 } }),
    ],
    ['/thousands', 2000, () => ({})],
    ['/ten-thousand', 10_000, () => ({})],
  ];
  return shapes.map(([path, steps, more]) => ({ path, steps, trace: requestWith(path, at, steps, more) }));
}
