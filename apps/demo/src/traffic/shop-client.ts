import { readFields } from '../input.ts';

/** A response. `body` is undefined if the response was not JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ShopClientOptions {
  readonly baseUrl: string;
  readonly userAgent: string;
  /** The visitor's country (ISO 3166-1), which a content delivery network would report. */
  readonly country?: string;
  /** Called before each request, which starts when the returned promise resolves. */
  readonly pace: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Simulates a visitor's browser. Sends one request at a time, with the session's token once the visitor has signed in. */
export class ShopClient {
  readonly #options: ShopClientOptions;
  #token: string | undefined;

  constructor(options: ShopClientOptions) {
    this.#options = options;
  }

  get(path: string): Promise<Answer> {
    return this.#send('GET', path, undefined);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.#send('POST', path, body);
  }

  /** Signs in. Returns true if the shop accepted the password. */
  async signIn(email: string, password: string): Promise<boolean> {
    const { status, body } = await this.post('/sessions', { email, password });
    const { token } = readFields(body);
    this.#token = typeof token === 'string' ? token : undefined;
    return status === 201;
  }

  async #send(method: string, path: string, body: unknown): Promise<Answer> {
    const { baseUrl, userAgent, country, pace, signal } = this.#options;
    await pace();
    const answer = await fetch(baseUrl + path, {
      method,
      signal,
      headers: {
        'user-agent': userAgent,
        accept: 'application/json',
        ...(country === undefined ? {} : { 'cf-ipcountry': country }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: parseJson(text) };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
