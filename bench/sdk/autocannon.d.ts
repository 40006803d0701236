/** The part of autocannon that the benchmarks use; the package has no types. */
declare module 'autocannon' {
  function autocannon(options: autocannon.Options): autocannon.Run;
  namespace autocannon {
    interface Options {
      readonly url: string;
      readonly connections: number;
      readonly amount?: number;
      readonly duration?: number;
      /** Maximum time in seconds until a response arrives. */
      readonly timeout?: number;
      readonly overallRate?: number;
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** Requests that each connection sends repeatedly in this order. */
      readonly requests?: readonly Request[];
    }
    interface Request {
      readonly method: string;
      readonly path: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      onResponse?(status: number): void;
    }
    interface Run extends PromiseLike<Result> {
      on(event: 'response', listener: () => void): void;
    }
    interface Result {
      readonly latency: { readonly p99: number };
      readonly '2xx': number;
      readonly non2xx: number;
      readonly errors: number;
    }
  }
  export = autocannon;
}
