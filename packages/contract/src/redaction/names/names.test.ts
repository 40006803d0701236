import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../../values.ts';
import { Redactor } from '../redactor.ts';

const redactor = new Redactor();
const hidden = (of: string) => ({ $type: 'redacted', of });

describe('the field name', () => {
  it.each(
    `password Password PASSWORD userPassword password_hash old-passwd db.pwd secret clientSecret
     token accessToken API_KEY apiKey api-key x-api-key APIKey apikey Authorization
     proxy-authorization Cookie set-cookie sessionId session csrfToken x-csrf ssn card cardNumber
     cvv pin shippingPin iban IBAN userPIN pin2 AWS_SECRET_ACCESS_KEY privateKey pass auth
     user[password] connect.sid credentials JWTToken DB_PASS smtpPass newpassword tokens apiKeys authKey
     signature verificationCode contraseña Kennwort`.split(/\s+/),
  )("%s is a secret's name", (name) => {
    expect(redactor.judge(name)).not.toBe('plain');
    expect(redactor.value({ [name]: 'x7Kq2Lm9' })).toEqual({ [name]: hidden('string') });
  });

  it.each(
    `shipping pinned spinner discard cardinal wildcards tokenize maxTokens api key keyApi
     apiOfKey author authority secretary cookiecutter compass passenger passCount email id $ 日本
     __proto__ constructor sessions classname assn opinion shoppingBasket`.split(/\s+/),
  )("%s is not a secret's name", (name) => {
    expect(redactor.judge(name)).toBe('plain');
  });

  it('that names a secret does not hide a value that reveals nothing, such as null or a boolean', () => {
    const value = {
      password: null,
      hasPassword: true,
      token: { $type: 'undefined' },
      session: { $type: 'function', name: 'session' },
    };
    expect(redactor.value(value)).toBe(value);
  });

  it('that names a secret hides the value and shows only its type', () => {
    const value: CapturedValue = {
      pin: 1234,
      cookies: ['a'],
      token: 'x'.repeat(9),
      session: { $type: 'Map', size: 0, entries: [] },
      secret: { $type: 'object', class: 'Secret', properties: { x: 1 } },
      passphrase: { $type: 'string', value: 'abc', length: 900 },
      credentials: { $type: 'Error', class: 'AuthError', message: 'x' },
    };
    expect(redactor.value(value)).toEqual({
      pin: hidden('number'),
      cookies: hidden('array'),
      token: hidden('string'),
      session: hidden('Map'),
      secret: hidden('Secret'),
      passphrase: hidden('string'),
      credentials: hidden('AuthError'),
    });
  });
});
