import { Redactor } from '@throughline/contract/redaction';
import { expect, test } from 'vitest';
import type { EncodedTrace } from './encode-trace.ts';
import { encodeWithoutEchoes } from './hide-echoes.ts';

const SECRETS = ['Harbor4711!lantern', 'пароль-ключ', 'geheim-ÄÖÜß'];

test.each([
  ['the row of the trace', (text: string) => ({ traceRow: Buffer.from(text), stepRows: [] })],
  [
    'the row of a step',
    (text: string) => ({ traceRow: Buffer.alloc(0), stepRows: [Buffer.from('a'), Buffer.from(text)] }),
  ],
])('a secret that a name reveals is hidden in %s, where it has no name', (_row, place) => {
  for (const secret of SECRETS) {
    const redactor = new Redactor();
    const encode = () => {
      redactor.value({ password: secret });
      return place(redactor.text(`hashing ${secret} for ada`)) as unknown as EncodedTrace;
    };
    const { traceRow, stepRows } = encodeWithoutEchoes(redactor, encode);
    const stored = Buffer.concat([traceRow, ...stepRows]).toString();
    expect(stored).toContain('for ada');
    expect(stored).not.toContain(secret);
  }
});
