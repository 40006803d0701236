/** What we use of autocannon, which ships no types. */
declare module 'autocannon' {
  function autocannon(options: autocannon.Options): PromiseLike<autocannon.Result>;
  namespace autocannon {
    interface Options {
      readonly url: string;
      readonly connections: number;
      readonly amount?: number;
      readonly duration?: number;
      readonly overallRate?: number;
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
    interface Result {
      readonly requests: { readonly average: number; readonly total: number };
      readonly latency: { readonly p99: number };
      readonly '2xx': number;
      readonly non2xx: number;
      readonly errors: number;
    }
  }
  export = autocannon;
}
