import { Redactor, redactStepFields } from '@throughline/contract/redaction';
import { describe, expect, it } from 'vitest';
import { Recording, type RecordingOptions } from '../recording.ts';
import { CapturedText } from '../writer/captured-text.ts';
import { JsonWriter } from '../writer/json-writer.ts';
import { CaptureRules } from './capture-rules.ts';
import { defaultLimits } from './limits.ts';
import { beginQuery, capture, customer, FIND, read, SELECT } from './query-values.fixture.ts';

describe('the values that are bound to a statement', () => {
  it('are shown as they were when the query began', () => {
    const values = ['EU', 18];
    const { recording, step } = beginQuery();
    const { bound } = recording.queries.begin(step, FIND, values);
    values[0] = 'US';
    expect(read(bound)).toEqual(['EU', 18]);
    recording.drop();
  });

  it('are shown by name, if a statement has named parameters', () => {
    const statement = 'SELECT id FROM customers WHERE region = @region AND age > @age';
    expect(capture({ statement, values: [{ region: 'EU', age: 18 }] }).bound).toEqual([
      { region: 'EU', age: 18 },
    ]);
  });

  it.each<[string, string, unknown[]]>([
    [
      'the statement contains the name of a secret',
      'SELECT id FROM users WHERE id = $1 AND token = $2',
      [7, 'abc'],
    ],
    [
      'a value names a secret',
      'UPDATE settings SET value = $1 WHERE name = $2',
      ['hunter2', 'smtp_password'],
    ],
    ['a value is a pattern for names of secrets', FIND, ['%password%', 1]],
    ['a value is a name of three words', FIND, ['mot de passe', 1]],
    [
      'a member that is not captured names a secret',
      FIND,
      [
        {
          it: 'n'.repeat(200),
          a: 'n'.repeat(250),
          b: 'n'.repeat(250),
          c: 'n'.repeat(250),
          d: 'n'.repeat(250),
          what: 'smtp_password',
        },
        1,
      ],
    ],
    ['a value has no name', 'INSERT INTO users VALUES ($1, $2)', [7, 'hunter2']],
    ['a function receives the values', 'SELECT check_login($1, $2)', ['ada', 'hunter2']],
    ['a value names a secret beside characters that JSON escapes', FIND, ['a "smtp\\password"', 1]],
    ['a value names a secret in another script', FIND, ['пароль', 1]],
    [
      'a named value names a secret',
      'UPDATE settings SET value = @v WHERE name = @n',
      [{ v: 'x', n: 'api key' }],
    ],
    [
      'a value is an instance of a class, which the driver can replace by SQL',
      FIND,
      [new (class Fragment {})(), 1],
    ],
    ['a list contains an instance of a class', FIND, [[new (class Fragment {})()], 1]],
    ['a value is a list of rows', 'INSERT INTO orders (id, total) VALUES ?', [[[1, 'hunter2']]]],
    ['a value is a proxy', FIND, [new Proxy({}, {}), 1]],
    ['a value is a function', FIND, [() => 'token', 1]],
    ['there are more than 100', FIND, Array.from({ length: 101 }, (_, at) => at)],
    ['they do not fit into 1 kB', FIND, Array.from({ length: 10 }, () => 'n'.repeat(200))],
  ])('are replaced by markers of their types if %s', (_, statement, values) => {
    const { bound } = capture({ statement, values });
    const markers = values.slice(0, 100).map(() => expect.objectContaining({ $type: 'redacted' }));
    expect(bound).toEqual(values.length > 100 ? { $type: 'array', values: markers, length: 101 } : markers);
  });

  it('are missing if no value is bound', () => {
    expect(capture({ statement: 'SELECT 1 FROM customers', values: [] }).bound).toBeUndefined();
  });

  it('are not hidden in the rest of the trace if the statement names a secret, because most of its values are no secrets', () => {
    const query = beginQuery();
    const statement = 'SELECT id FROM licenses WHERE license_key = $1 AND region = $2';
    expect(capture({ statement, values: ['ATL-R511-93', 'EU-west'] }, query).bound).toEqual([
      { $type: 'redacted', of: 'string' },
      { $type: 'redacted', of: 'string' },
    ]);
    expect(query.recording.finish().secrets.size).toBe(0);
  });

  it('are read without running code of the host', () => {
    let calls = 0;
    const count = () => calls++;
    class Hostile extends Array {
      static override get [Symbol.species]() {
        count();
        return Array;
      }
      override map(): never {
        count();
        throw new Error('code of the host');
      }
      override [Symbol.iterator]() {
        count();
        return super[Symbol.iterator]();
      }
    }
    const values = new Hostile();
    values.push('EU', 18);
    expect(capture({ statement: FIND, values }).bound).toEqual(['EU', 18]);
    const accessors = Object.defineProperty(['EU', 0], '1', { get: count });
    expect(capture({ statement: FIND, values: accessors }).bound).toEqual(['EU', { $type: 'undefined' }]);
    expect(capture({ statement: FIND, values: new Proxy(['EU'], { get: count }) }).bound).toBeUndefined();
    const object = Object.defineProperty({ region: 'EU' }, 'age', { get: count, enumerable: true });
    expect(capture({ statement: FIND, values: [object, 1] }).bound).toEqual([
      { region: 'EU', age: { $type: 'accessor' } },
      1,
    ]);
    expect(capture({ statement: FIND, values: new Array(4e7) }).bound).toMatchObject({ length: 4e7 });
    expect(calls).toBe(0);
  });
});

describe('the first rows of a query', () => {
  it('are shown without the values of columns with the name of a secret', () => {
    const rows = [{ ...customer, password: 'hunter2-hunter2' }];
    expect(capture({ rows, statement: 'SELECT * FROM customers', values: [] }).rows).toEqual([
      { ...customer, password: { $type: 'redacted', of: 'string' } },
    ]);
  });

  it('are at most five', () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ ...customer, id }));
    expect(capture({ rows }).rows).toEqual(rows.slice(0, 5));
  });

  it('have at most 4 kB per query and 64 kB per request, so that they leave room for the values of functions', () => {
    const query = beginQuery();
    const rows = [
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`column${at}`, 'n'.repeat(250)])),
    ];
    let size = 0;
    let captured = 0;
    for (let repeat = 0; repeat < 100; repeat++) {
      const found = capture({ rows }, query);
      const bytes = JSON.stringify(found.rows ?? '').length;
      expect(bytes).toBeLessThan(4.5 * 1024);
      size += bytes;
      if (found.rows !== undefined) captured++;
    }
    expect(captured).toBeGreaterThan(10);
    expect(size).toBeLessThan(70 * 1024);
    expect(capture({}, query).bound).toEqual([{ $type: 'redacted', of: 'string' }]);
    query.caller.exit([{ state: 'paid' }, null], undefined);
    const { variables } = query.caller;
    expect(variables instanceof CapturedText && variables.read()).toMatchObject({
      localVariables: { rows: { state: 'paid' } },
    });
    query.recording.drop();
  });

  it('are never the target of a reference: a function that returns a row shows the row again', () => {
    const query = beginQuery();
    const row = { ...customer, note: 'n'.repeat(200), value: 'Zq81kLmWp0x3' };
    expect(capture({ rows: [row] }, query).rows).toEqual([row]);
    query.caller.exit([[row], row], [row]);
    const { outputs } = query.caller;
    expect(outputs instanceof CapturedText && outputs.read()).toEqual([row]);
    query.recording.drop();
  });

  it.each<[string, unknown]>([
    ['no list', customer],
    ['an empty list', []],
    ['cells without the names of their columns', [[4711, 'hunter2']]],
    ['the values of one column', ['hunter2']],
    ['binary values of one column', [Buffer.from('hunter2')]],
    ['a result of several statements', [{ affectedRows: 1 }, [[1, 'hunter2']]]],
    ['dates', [new Date(0)]],
    ['a proxy', new Proxy([customer], {})],
    ['proxies', [new Proxy(customer, {})]],
    ['rows in which a text names a secret', [{ setting: 'smtp_password', value: 'hunter2' }]],
    ['rows in which a text deep in a value names a secret', [{ id: 1, data: { of: ['apiKey', 'x'] } }]],
    ['whole rows of PostgreSQL as one text', [{ u: '(7,Ada,hunter2)' }]],
    ['lists of whole rows as one text', [{ u: '{"(7,Ada,hunter2)"}' }]],
  ])('are left out if they are %s', (_, rows) => {
    expect(capture({ rows }).rows).toBeUndefined();
  });

  it.each([
    ['SELECT id, password AS name FROM customers', []],
    ['SELECT value FROM settings WHERE name = $1', ['smtp_password']],
    ['SELECT value FROM settings WHERE name = $1', ['service-role-key']],
    ['SELECT value FROM settings WHERE name = ?', []],
    ['SELECT value FROM settings WHERE name = @name', [{ name: 'smtp_password' }]],
    ['SELECT value FROM settings WHERE name = $1', new Proxy(['smtp_password'], {})],
  ])('are left out if a secret can have another name: %s', (statement, values) => {
    expect(capture({ statement, values, rows: [customer] }).rows).toBeUndefined();
  });

  it('are captured without running code of the host', () => {
    let calls = 0;
    const row = Object.defineProperty({ id: 1 }, 'name', {
      enumerable: true,
      get: () => {
        calls++;
        return 'Grace';
      },
    });
    const rows = [Object.freeze(row), Object.create(null)];
    Object.defineProperty(rows, Symbol.iterator, { get: () => calls++ });
    Object.freeze(rows);
    expect(capture({ rows }).rows).toEqual([{ id: 1, name: { $type: 'accessor' } }, {}]);
    expect(calls).toBe(0);
  });
});

describe('the inputs and outputs of a query', () => {
  const rows = [{ ...customer, note: 'said "no"\nto the offer', created: new Date(0) }, customer];

  it.each<[string, unknown[], unknown[]]>([
    ['without secrets', ['EU'], rows],
    [
      'with a secret that is found while the values are written',
      ['EU'],
      [{ id: 1, password: 'hunter2-hunter2' }],
    ],
    [
      'with a text that needs a second look',
      ['EU'],
      [{ id: 1, query: 'SELECT id FROM orders WHERE region =' }],
    ],
    ['with a list of equal objects', ['EU'], [rows[0], rows[0]]],
  ])('are the same JSON as plain data after redaction: %s', (_, values, found) => {
    const query = beginQuery();
    const { step, recording } = query;
    const { queries } = recording;
    const begun = queries.begin(step, SELECT, values);
    const firstRows = queries.captureFirstRows(step, begun, found);
    if (begun.bound === undefined || firstRows === undefined) throw new Error('nothing was captured');
    const fields = [
      [
        'inputs',
        { statement: SELECT, values: begun.bound },
        { statement: SELECT, values: read(begun.bound) },
      ],
      ['outputs', { rows: 2, firstRows }, { rows: 2, firstRows: read(firstRows) }],
    ] as const;
    for (const [field, given, plain] of fields) {
      const joined = queries.joinFields(field, given);
      expect(read(joined)).toEqual(plain);
      const whole = { [field]: plain };
      expect(redactStepFields(whole, new Redactor())).toBe(whole);
      if (!(joined instanceof CapturedText)) continue;
      const writer = new JsonWriter(10);
      joined.writeTo(writer);
      expect(JSON.parse(writer.bytes.toString('utf8', 0, writer.end))).toEqual(plain);
    }
    recording.drop();
  });

  it('are plain data if they have further fields, which rarely repeat', () => {
    const { recording, step } = beginQuery();
    const { bound } = recording.queries.begin(step, SELECT, ['EU']);
    const fields = { operation: 'findMany', statement: SELECT, values: bound ?? null };
    expect(recording.queries.joinFields('inputs', fields)).toEqual({ ...fields, values: ['EU'] });
    recording.drop();
  });
});

describe('no value of a query is captured', () => {
  const nothing = { bound: [{ $type: 'redacted', of: 'string' }], rows: undefined };

  it.each<[string, Partial<RecordingOptions>]>([
    ['the mode is structure', { capture: 'structure' }],
    ['all values are redacted', { rules: new CaptureRules(new Redactor(), true) }],
    [
      'a rule has a path, which would not reach the copy',
      { rules: new CaptureRules(null, false, new Redactor()) },
    ],
    ['no bytes are left for values', { limits: { ...defaultLimits, requestBytes: 0 } }],
  ])('if %s', (_, options) => {
    expect(capture({ rows: [customer] }, beginQuery(options))).toEqual(nothing);
  });

  it('if the values of the calling function are left out', () => {
    const query = beginQuery();
    query.caller.all = false;
    expect(capture({ rows: [customer] }, query)).toEqual(nothing);
  });

  it('if a library ran the query on its own', () => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    const step = recording.open({ name: 'SELECT sessions', type: 'database' });
    if (step === null) throw new Error('no step');
    expect(capture({ rows: [customer] }, { recording, step, caller: step })).toEqual(nothing);
    recording.drop();
  });
});
