import { Redactor } from '@throughline/contract/redaction';
import { expect, test } from 'vitest';
import { createServiceReader } from './sender-details.ts';

const SECRET = 'Harbor4711!lantern';

test.each([
  'service.name',
  'service.version',
  'service.instance.id',
  'host.name',
  'deployment.environment.name',
  'vcs.ref.head.revision',
  'process.runtime.name',
  'app.note',
])('a secret in the attribute %s of a resource is redacted in all data stored with a span', (name) => {
  const { service, json } = createServiceReader(new Redactor())({
    resource: { [name]: `shop password=${SECRET}` },
    scope: { name: '', version: '', attributes: {} },
  });
  const stored = JSON.stringify({ service, json });
  expect(stored).toContain('shop password=‹redacted›');
  expect(stored).not.toContain(SECRET);
});
