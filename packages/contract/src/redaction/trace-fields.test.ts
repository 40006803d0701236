import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IngestStep, IngestTrace, Service } from '../traces/ingest.ts';
import { Redactor } from './redactor.ts';
import { redactService, redactStepFields, redactTraceHead } from './trace-fields.ts';

const SECRET = 'sk_live_51H8xTq2eZvKYlo2C0aBcDeF';
const redactor = new Redactor();

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Lists the paths of all fields that can contain a string chosen by the sender. */
function textFields(schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  if (schema.anyOf !== undefined) {
    const all = schema.anyOf.flatMap((one) => textFields(one, path));
    return [...new Map(all.map((found) => [found.join('.'), found])).values()];
  }
  if (schema.enum !== undefined || schema.const !== undefined) return [];
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, inner]) => textFields(inner, [...path, name]));
  const holdsNoText = ['number', 'integer', 'boolean', 'null', 'array'].includes(schema.type ?? '');
  return path.length === 0 || holdsNoText ? [] : [path];
}

function listTextFields(schema: z.ZodType): (readonly string[])[] {
  return textFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema);
}

/** Builds nested objects with a value at the end of a path. */
function placed(path: readonly string[], value: unknown): object {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? value : placed(rest, value) };
}

/** Ids and times. Their format is validated before anything is stored, so they cannot contain secrets. */
const CHECKED = ['_id', 'traceId', 'spanId', 'parentSpanId', 'timing.startTime', 'startTime', 'endTime'];

describe.each([
  ['trace', IngestTrace, (value: object) => redactTraceHead(value, redactor)],
  ['step', IngestStep, (value: object) => redactStepFields(value, redactor)],
  ['service', Service, (value: object) => redactService(value, redactor)],
] as const)('a %s', (_name, schema, redact) => {
  const fields = listTextFields(schema).filter(
    (path) => path[0] !== 'flow' && !CHECKED.includes(path.join('.')),
  );

  it.each(fields.map((path) => [path.join('.'), path] as const))(
    'is redacted in its field %s',
    (_path, path) => {
      expect(JSON.stringify(redact(placed(path, SECRET)))).not.toContain(SECRET);
      expect(JSON.stringify(redact(placed(path, { note: SECRET })))).not.toContain(SECRET);
    },
  );

  it('has at least five string fields, so that the tests above check at least five fields', () => {
    expect(fields.length).toBeGreaterThan(4);
  });
});

it('a value under the name of a secret is redacted even in a field that has no rule of its own', () => {
  const step = { error: { message: 'refused', passphrase: 'a b c d', config: { apiKey: 'x1' } } };
  expect(redactStepFields(step, redactor).error).toEqual({
    message: 'refused',
    passphrase: { $type: 'redacted', of: 'string' },
    config: { apiKey: { $type: 'redacted', of: 'string' } },
  });
});

it.each([
  'SELECT id FROM staff WHERE salary BETWEEN $1 AND $2',
  'SELECT id FROM staff WHERE (name, salary) = ($1, $2)',
  'SELECT salary AS s FROM staff WHERE id = $1',
])('query values are hidden if the statement contains a name from the project’s rules: %s', (statement) => {
  const step = {
    inputs: { statement, values: [4711, 'Ada'] },
    outputs: { rows: 1, firstRows: [{ s: 4711 }] },
  };
  const own = new Redactor({ keys: ['salary'] });
  expect(redactStepFields(step, own)).toEqual({
    inputs: {
      statement,
      values: [
        { $type: 'redacted', of: 'number' },
        { $type: 'redacted', of: 'string' },
      ],
    },
    outputs: { rows: 1 },
  });
  const harmless = { ...step, inputs: { ...step.inputs, statement: 'SELECT id FROM staff WHERE id = $1' } };
  expect(redactStepFields(harmless, own)).toBe(harmless);
});
