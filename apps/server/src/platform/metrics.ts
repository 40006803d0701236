import { Gauge, Counter as PromCounter, Histogram as PromHistogram, Registry } from 'prom-client';
import { withTimeout } from './queues/with-timeout.ts';

/** Maximum time to read one gauge. A gauge whose store does not respond must not block the other metrics. */
const READ_MS = 3_000;
/**
 * Upper bounds of the buckets for durations, in seconds. The lowest is for a cached response, the highest for a request that waits for a
 * busy store.
 */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counters and histograms of this process since its start, and gauges, in Prometheus's text format (version 0.0.4). */
export class Metrics {
  readonly #registry = new Registry();
  /**
   * Contains the count of gauges that could not be read. Formatted after all other metrics, so that the count includes failures of this
   * scrape.
   */
  readonly #failures = new Registry();
  readonly #failed = new PromCounter({
    name: 'throughline_scrape_errors_total',
    help: 'Metrics that could not be read and were left out.',
    labelNames: ['series'],
    registers: [this.#failures],
  });

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Registers a counter. With a label, there is one count for each value of the label. */
  counter(name: string, help: string, label?: string): Counter {
    const labelNames = label === undefined ? [] : [label];
    const counter = new PromCounter({ name, help, labelNames, registers: [this.#registry] });
    return {
      add(count, value = '') {
        if (label === undefined) counter.inc(count);
        else counter.inc({ [label]: value }, count);
      },
    };
  }

  /** Registers a distribution of durations in seconds. */
  durations<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Durations<Label> {
    const histogram = new PromHistogram({
      name,
      help,
      labelNames,
      buckets: SECONDS,
      registers: [this.#registry],
    });
    return {
      observe(ms, labels) {
        histogram.observe(labels ?? {}, ms / 1000);
      },
    };
  }

  /** Registers a value that is read at each scrape. A value that cannot be read is left out and counted as a failure. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const failed = this.#failed;
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        const value = await withTimeout(READ_MS, (async () => read())());
        if (value === undefined) {
          this.remove();
          failed.inc({ series: name });
        } else this.set(value);
      },
    });
  }

  /** Formats all metrics. */
  async text(): Promise<string> {
    const read = await this.#registry.metrics();
    return `${read}${await this.#failures.metrics()}`;
  }
}

export interface Counter {
  add(count: number, labelled?: string): void;
}

export interface Durations<Label extends string> {
  observe(ms: number, labels?: Readonly<Record<Label, string>>): void;
}
