import { withTimeout } from './queues/with-timeout.ts';

/** Maximum time to read one gauge. A store that does not respond must not block the others. */
const READ_MS = 3_000;
const SCRAPE_ERRORS = 'throughline_scrape_errors_total';

/** Counters of this process since its start, and gauges, in Prometheus's text format (version 0.0.4). */
export class Metrics {
  readonly #series = new Map<string, Series>();
  readonly #failures: Counter;

  constructor() {
    this.#failures = this.counter(
      SCRAPE_ERRORS,
      'Metrics that could not be read and were left out.',
      'series',
    );
  }

  /** Registers a counter; with a label, one count per value of the label. */
  counter(name: string, help: string, label?: string): Counter {
    const values = new Map<string, number>();
    if (label === undefined) values.set('', 0);
    this.#series.set(name, {
      type: 'counter',
      help,
      read: async () =>
        [...values].map(
          ([value, count]) =>
            `${name}${label === undefined ? '' : `{${label}="${escapeLabel(value)}"}`} ${count}`,
        ),
    });
    return {
      add(count, value = '') {
        values.set(value, (values.get(value) ?? 0) + count);
      },
    };
  }

  /** Registers a value that is read at each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.#series.set(name, { type: 'gauge', help, read: async () => [`${name} ${await read()}`] });
  }

  /** Formats all metrics. Gauges that fail or time out are left out and counted as failures. */
  async text(): Promise<string> {
    const { [SCRAPE_ERRORS]: failures, ...others } = Object.fromEntries(this.#series);
    const parts = await Promise.all(
      Object.entries(others).map(async ([name, series]) => {
        const lines = await withTimeout(READ_MS, series.read());
        if (lines !== undefined) return formatSeries(name, series, lines);
        this.#failures.add(1, name);
        return '';
      }),
    );
    // Formatted last, so that it includes failures of this scrape.
    if (failures !== undefined) parts.push(formatSeries(SCRAPE_ERRORS, failures, await failures.read()));
    return parts.join('');
  }
}

function formatSeries(name: string, { type, help }: Series, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

export interface Counter {
  add(count: number, labelled?: string): void;
}

interface Series {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly read: () => Promise<readonly string[]>;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
