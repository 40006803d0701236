import { Redactor } from '@throughline/contract/redaction';
import { describe, expect, it } from 'vitest';
import { CapturedText } from '../writer/captured-text.ts';
import { RepeatedTexts } from './repeated-texts.ts';

const statement = { statement: 'SELECT * FROM users WHERE id = ?' };

describe('values that occur in many steps', () => {
  it('are converted to text once', () => {
    const texts = new RepeatedTexts(new Redactor());
    const first = texts.take('inputs', 'a', '', () => statement);
    const again = texts.take('inputs', 'a', '', () => {
      throw new Error('made twice');
    });
    expect(again).toBe(first);
    expect(first).toMatchObject({ clean: true });
    expect(first instanceof CapturedText && first.read()).toEqual(statement);
  });

  it('are converted separately if their key or their detail differs', () => {
    const texts = new RepeatedTexts(new Redactor());
    const read = (key: string, detail: string) => {
      const text = texts.take('inputs', key, detail, () => ({ key, detail }));
      return text instanceof CapturedText ? text.read() : undefined;
    };
    const keys = ['a', 'b'].flatMap((key) => ['', 'number'].map((detail) => ({ key, detail })));
    for (let time = 0; time < 2; time++) {
      for (const { key, detail } of keys) expect(read(key, detail)).toEqual({ key, detail });
    }
  });

  it('share no text if they contain a secret, or if redaction rules with paths apply', () => {
    const secret = { statement: "SELECT 'sk_live_51H8xTq2eZvKYlo2C0aBcDeF'" };
    expect(new RepeatedTexts(new Redactor()).take('inputs', 'a', '', () => secret)).toBe(secret);
    const named = { password: 'correct horse' };
    expect(new RepeatedTexts(new Redactor()).take('inputs', 'a', '', () => named)).toBe(named);
    expect(new RepeatedTexts(null).take('inputs', 'a', '', () => statement)).toBe(statement);
  });

  it('stay valid after other values replaced them in the cache', () => {
    const texts = new RepeatedTexts(new Redactor());
    const first = texts.take('inputs', 'first', '', () => statement);
    for (let nth = 0; nth < 400; nth++)
      texts.take('inputs', `${nth}`, '', () => ({ statement: `SELECT ${'n, '.repeat(400)} ${nth}` }));
    expect(texts.take('inputs', 'first', '', () => statement)).not.toBe(first);
    expect(first instanceof CapturedText && first.read()).toEqual(statement);
  });
});
