import { setTimeout as wait } from 'node:timers/promises';

export interface Plot {
  readonly id: number;
  readonly squareMetres: number;
  readonly holder: string | null;
  readonly water: boolean;
  readonly since: string | null;
}

export type Change = Partial<Pick<Plot, 'holder' | 'water' | 'since'>>;

export class PlotRepository {
  readonly #plots = new Map<number, Plot>(
    [
      { id: 3, squareMetres: 180, holder: 'Mina Okafor', water: true, since: '2019-03-01' },
      { id: 4, squareMetres: 240, holder: null, water: true, since: null },
      { id: 7, squareMetres: 210, holder: 'Piet Jansen', water: false, since: '2014-03-01' },
      { id: 8, squareMetres: 150, holder: null, water: false, since: null },
      { id: 12, squareMetres: 320, holder: 'Sara Lund', water: true, since: '2022-03-01' },
    ].map((plot) => [plot.id, plot]),
  );

  async find(id: number): Promise<Plot> {
    await wait(7);
    const plot = this.#plots.get(id);
    if (!plot) throw Object.assign(new Error(`there is no plot ${id}`), { status: 404 });
    return plot;
  }

  async update(id: number, change: Change): Promise<Plot> {
    const plot = { ...(await this.find(id)), ...change };
    this.#plots.set(id, plot);
    return plot;
  }
}
