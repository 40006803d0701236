/** Counts of this process since its start, and readings, in the text format that Prometheus reads (version 0.0.4). */
export class Metrics {
  readonly #series = new Map<string, Series>();

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

  /** What is read whenever somebody asks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.#series.set(name, { type: 'gauge', help, read: async () => [`${name} ${await read()}`] });
  }

  async text(): Promise<string> {
    const parts = await Promise.all(
      [...this.#series].map(async ([name, { type, help, read }]) => {
        const lines = await read();
        return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
      }),
    );
    return parts.join('');
  }
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
