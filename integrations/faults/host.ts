import { Agent, get } from 'node:http';
import { App, type End } from '../harness/app.ts';

export interface Memory {
  /** Heap and buffers in use after a garbage collection. */
  readonly heldBytes: number;
  readonly rssBytes: number;
  /** CPU time since the process started. */
  readonly cpuMs: number;
}

const cents = (id: number, rows: number) => {
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += (id + row) * 25;
  return sum;
};

/** The host under load. `request` checks each response. */
export class Host {
  /** Number of requests with a correct response; a wrong response throws. */
  answered = 0;
  readonly #app: App;
  readonly #rows: number;
  readonly #agent = new Agent({ keepAlive: true });
  #url = '';

  /**
   * `rows` sets how much data the trace of each request contains. A row has about 250 bytes, and is captured several times, because several
   * functions receive or return it.
   */
  constructor(collector: string, rows: number) {
    this.#rows = rows;
    this.#app = new App('faults/host.js', {
      collector,
      flags: ['--expose-gc', '--import', '@throughline/node/auto'],
      // Requests for memory figures are not recorded, because they are not part of the load.
      env: { ROWS: `${rows}`, THROUGHLINE_SAMPLE_ROUTES: '/memory=0', THROUGHLINE_SLOW_MS: '600000' },
    });
  }

  async ready(): Promise<void> {
    this.#url = await this.#app.ready();
  }

  /** Sends one request and returns its duration in milliseconds. Throws if the response is not the expected total. */
  async request(): Promise<number> {
    const id = this.answered;
    const started = performance.now();
    const text = await this.#get(`/total?id=${id}`);
    const taken = performance.now() - started;
    if (text !== JSON.stringify({ total: cents(id, this.#rows) }))
      throw new Error(`the host answered ${text}`);
    this.answered++;
    return taken;
  }

  async memory(): Promise<Memory> {
    const memory: Memory = JSON.parse(await this.#get('/memory'));
    return memory;
  }

  get stderr(): string {
    return this.#app.stderr;
  }

  stop(): Promise<End> {
    this.#agent.destroy();
    return this.#app.stop();
  }

  #get(path: string): Promise<string> {
    return new Promise((done, fail) => {
      const sent = get(this.#url + path, { agent: this.#agent }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => done(text));
      });
      sent.on('error', fail);
    });
  }
}
