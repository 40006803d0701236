import type { CapturedValue, Step } from '@throughline/contract';
import { expect, it } from 'vitest';
import { aStep } from '../../steps/step.fixture.ts';
import { findRunLines } from './run-lines.ts';

interface Case {
  /** The values of local variables. */
  readonly locals?: Readonly<Record<string, CapturedValue>>;
  readonly returned?: CapturedValue;
  /** The error and its frames, from the inside out: `f:12` is line 12 of the function. */
  readonly threw?: string;
  readonly frames?: readonly string[];
  /** Names of the functions that the call called; `!name` threw. */
  readonly called?: readonly string[];
  readonly more?: Partial<Step>;
}

function writeFrame(frame: string): string {
  const [name, line] = frame.split(':');
  return `    at ${name} (/app/src/f.ts:${line}:5)`;
}

/**
 * Checks that `findRunLines` finds the marks before the lines of the code: `+` for a line that ran, `-` for a line that was not reached.
 * The first line has the number 1.
 */
function expectMarks(
  marked: string,
  { locals = {}, returned, threw, frames = [], called = [], more = {} }: Case,
) {
  const lines = marked.replace(/^\n/, '').replace(/\n *$/, '').split('\n');
  const text = lines.map((line) => line.slice(2)).join('\n');
  const stack = [
    `${threw}: message`,
    ...frames.map((frame) => (frame.includes('(') ? `    at ${frame}` : writeFrame(frame))),
  ];
  const step = aStep('f', {
    functionName: 'f',
    filePath: 'src/f.ts',
    lineNumber: 1,
    variables: {
      capturedAt: threw === undefined ? 'exit' : 'throw',
      parameters: {},
      localVariables: locals,
      ...(returned !== undefined && { returnValue: returned }),
    },
    error: threw === undefined ? null : { name: threw, message: 'message', stack: stack.join('\n') },
    ...more,
  });
  const children = called.map((name) =>
    aStep(name, {
      functionName: name.replace('!', ''),
      filePath: 'src/f.ts',
      error: name.startsWith('!') ? { message: 'message' } : null,
    }),
  );
  const line = Number(/:(\d+)$/.exec(frames.find((frame) => /\bf:/.test(frame)) ?? '')?.[1]);
  const thrown = Number.isNaN(line) ? undefined : line;
  const found = findRunLines({ source: { line: 1, text }, file: 'src/f.ts', step, children, thrown });
  const marks = text
    .split('\n')
    .map((code, at) => `${{ true: '+', false: '-' }[String(found.get(at + 1))] ?? ' '} ${code}`);
  expect(marks.join('\n')).toBe(lines.join('\n'));
}

it('statements after the line that threw are marked as not reached, in the same block and in the blocks around it', () => {
  expectMarks(
    `
  function f(order) {
+   const total = sum(order);
+   if (total > 0) {
+     const rate = order.rate.value;
-     log(rate);
    }
-   for (const line of order.lines) {
-     add(line);
-   }
-   return total;
  }`,
    { locals: { total: 3 }, threw: 'TypeError', frames: ['f:4'] },
  );
});

it('statements after the line that threw have no mark if they can have run in an earlier iteration, or in or after a catch or finally block', () => {
  expectMarks(
    `
  function f(list) {
+   for (const one of list) {
+     start(one);
+     use(one.a.b);
      end(one);
    }
-   done();
  }`,
    { locals: { one: {} }, threw: 'TypeError', frames: ['f:4'] },
  );
  expectMarks(
    `
  function f(list) {
    try {
+     use(list.a.b);
-     use(list);
    } catch (error) {
      report(error);
    } finally {
      close();
    }
    done();
  }`,
    { threw: 'TypeError', frames: ['f:3'] },
  );
});

it('a throw before an error in a finally block has no mark, because the error in the finally block replaces the error of the throw', () => {
  expectMarks(
    `
  function f(order) {
    try {
+     use(order);
      throw new Error('no');
    } finally {
+     close(order.file.id);
    }
  }`,
    { threw: 'TypeError', frames: ['f:6'] },
  );
});

it('the lines after the creation of an error have no mark if the error can have been thrown later, or through a promise', () => {
  expectMarks(
    `
  function f(order) {
+   const error = new Error('no');
    log(error);
    throw error;
  }`,
    { locals: { error: {} }, threw: 'Error', frames: ['f:2'] },
  );
  expectMarks(
    `
  async function f(order) {
+   pending = load(order);
    log(order);
    await pending;
  }`,
    { threw: 'Error', frames: ['load:90', 'f:2'], called: ['!load'] },
  );
  expectMarks(
    `
  async function f(order) {
+   const result = await attempt(order);
    if (result.error) throw result.error;
    log(order);
  }`,
    { locals: { result: {} }, threw: 'Error', frames: ['load:90', 'async f:2'] },
  );
});

it('the lines after a failed call have no mark if a later await or throw can have ended the function', () => {
  expectMarks(
    `
  async function f(job) {
+   start(job);
    log(job);
    await job.done;
  }`,
    { threw: 'Error', frames: ['start:90', 'f:2'], called: ['!start'] },
  );
  expectMarks(
    `
  async function f(job) {
+   await attempt(job);
    if (job.error) throw job.error;
    log(job);
  }`,
    { threw: 'Error', frames: ['attempt:90', 'async f:2'] },
  );
  expectMarks(
    `
  async function f(jobs) {
+   all = Promise.all(jobs);
    log(jobs);
    await all;
  }`,
    { threw: 'TypeError', frames: ['Promise.all (<anonymous>)', 'f:2'] },
  );
  expectMarks(
    `
  async function f(jobs) {
+   const all = list(jobs);
+   for (const job of jobs) {
+     if (job.isLast) break;
+     const running = start(job);
      all.push(running, running);
    }
    await all[0];
  }`,
    { locals: { all: [], job: {} }, threw: 'Error', frames: ['start:90', 'f:5'], called: ['!start'] },
  );
});

it('in a statement of several lines, the lines that are not always evaluated have no mark', () => {
  expectMarks(
    `
  function f(order) {
+   const total = order.isFree
      ? none(order)
      : sum(order);
+   const lines = join(
+     order,
+     total,
+   );
+   return lines;
  }`,
    { locals: { total: 1, lines: 2 }, returned: 2 },
  );
});

it('the lines after a failed call or a throw are marked as not reached if the call or throw certainly ended the function', () => {
  expectMarks(
    `
  async function f(order) {
+   const user = await find(order);
-   const label = user.name + user.id;
-   await save(label, user);
  }`,
    { locals: {}, threw: 'Error', frames: ['find:90', 'async f:2'] },
  );
  expectMarks(
    `
  function f(order) {
+   check(order);
-   const total = sum(order);
-   const tax = total * rate(total);
-   return total + tax + tax;
  }`,
    { threw: 'Error', frames: ['check:90', 'f:2'], called: ['!check'] },
  );
  expectMarks(
    `
  async function f(order) {
+   if (!order) throw new Missing('order');
-   const total = await sum(order);
-   return total;
  }`,
    { threw: 'Missing', frames: ['new Missing:90', 'f:2'] },
  );
});

it('in a recursion, the line where the innermost call threw is not used as the line where an outer call threw', () => {
  const code = (marks: string) =>
    [
      'function f(n) {',
      '  if (n === 0) {',
      '    fail(n);',
      '    log(n);',
      '  }',
      '  f(n - 1);',
      '  log(n);',
      '}',
    ]
      .map((line, at) => `${marks[at]} ${line}`)
      .join('\n');
  const call = { threw: 'Error', frames: ['fail:90', 'f:3', 'f:6'] };
  expectMarks(code(' ++- -- '), { ...call, called: ['!fail'] });
  expectMarks(code('        '), { ...call, called: ['!f'] });
});

it('a branch is marked as run if it contains the only call site of a function for which a step exists, or declares a variable that has a value', () => {
  expectMarks(
    `
  async function f(order) {
+   const user = await find(order);
+   if (user.isNew) {
+     welcome(user);
-   } else if (user.isOld) {
-     remind(user);
-   } else {
-     skip(user);
-   }
+   return user;
  }`,
    { locals: { user: {} }, returned: {}, called: ['find', 'welcome'] },
  );
  expectMarks(
    `
  function f(order) {
+   let total = sum(order);
+   if (total > 9) {
+     const part = total / 10;
+     total -= part;
    }
+   if (total < 3) {
-     const more = total / 5;
-     total += more;
    }
+   return total;
  }`,
    { locals: { total: 9, part: 1 }, returned: 9 },
  );
});

it('a call has no mark if its function is called in several places, or has the name of a built-in method', () => {
  expectMarks(
    `
  function f(order) {
+   if (order.a) {
      pay(order);
    } else {
      pay(order, 1);
    }
+   if (order.b) {
      order.list.push(1);
    }
  }`,
    { called: ['pay', 'push'] },
  );
});

it('code after a return or throw that ran is marked as not reached, and so is a return or throw before code that ran', () => {
  expectMarks(
    `
  function f(order) {
+   if (!order) {
+     report(order);
+     return null;
    }
-   const total = order.total;
-   return total;
  }`,
    { locals: {}, returned: null, called: ['report'] },
  );
  expectMarks(
    `
  function f(order) {
+   if (!order) {
-     report(order);
-     throw new Missing();
    }
+   const total = order.total;
+   return total;
  }`,
    { locals: { total: 3 }, returned: 3 },
  );
});

it('no line has a mark in a generator, in code with labels, in a call aggregate, and in a call whose values were not captured', () => {
  const code = `
  function f(order) {
    log(order);
    return order;
  }`;
  expectMarks(code.replace('function f', 'function* f'), { returned: 1 });
  expectMarks(code.replace('  log', '  out: log'), { returned: 1 });
  expectMarks(code, { more: { repeat: { count: 3, minMs: 0, sumMs: 1, maxMs: 1 } } });
  expectMarks(code, { more: { variables: undefined } });
});

it('a declaration has no mark if a compiler can have removed or renamed its variable', () => {
  const code = `
  function f(order) {
+   const user = find(order);
+   if (user.isNew || user.isOld) {
      const mail = write(user);
      send(mail, mail);
    }
+   return 1;
  }`;
  expectMarks(code.replaceAll(', mail', ''), { locals: { user: {} }, returned: 1 });
  expectMarks(code, { locals: { user2: {} }, returned: 1 });
});

it('statements without semicolons are parsed as separate statements', () => {
  expectMarks(
    `
  function f(order) {
+   const total = order
+     .total
+   check(total)
-   const rate = total
-   return rate * rate
  }`,
    { locals: { total: 3 }, threw: 'Error', frames: ['check:90', 'f:4'], called: ['!check'] },
  );
  // The braces of the block could also be the body of a function, so no line has a mark.
  expectMarks(
    `
  function f(order) {
    log(order)
    {
      return
      log(order)
    }
  }`,
    {},
  );
});
