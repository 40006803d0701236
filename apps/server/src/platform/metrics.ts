import { withTimeout } from './queues/with-timeout.ts';

/** Longest wait for one reading. A store that does not answer must not block the others. */
const READ_MS = 3_000;
const SCRAPE_ERRORS = 'throughline_scrape_errors_total';

/** Counts of this process since its start, and readings, in the text format that Prometheus reads (version 0.0.4). */
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

  /** A count that only grows; with a label, one for each of its values. */
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

  /** All of them, but for readings that cannot be had, or not soon: those are counted instead. */
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
    // Last, since it counts those of this time too.
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
