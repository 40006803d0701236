import { setTimeout as wait } from 'node:timers/promises';

export interface Wine {
  sku: string;
  name: string;
  vintage: number;
  appellation: string;
  cents: number;
}

const wines: Wine[] = [
  { sku: 'BAR-16', name: 'Cascina Rovere', vintage: 2016, appellation: 'Barolo', cents: 4290 },
  { sku: 'RIO-19', name: 'Bodega Alcor Crianza', vintage: 2019, appellation: 'Rioja', cents: 1350 },
  { sku: 'MOS-22', name: 'Zehnthof Riesling', vintage: 2022, appellation: 'Mosel', cents: 1190 },
  { sku: 'NAP-18', name: 'Gray Fox Cabernet', vintage: 2018, appellation: 'Napa Valley', cents: 5600 },
  { sku: 'EMI-15', name: 'Clos des Tilleuls', vintage: 2015, appellation: 'Saint-Émilion', cents: 3875 },
  { sku: 'MAR-20', name: 'Tui Ridge Sauvignon', vintage: 2020, appellation: 'Marlborough', cents: 1525 },
  { sku: 'JUL-17', name: 'Domaine Larrivet', vintage: 2017, appellation: 'Saint-Julien', cents: 4450 },
];

export class Catalogue {
  async find(sku: string): Promise<Wine | undefined> {
    await wait(4);
    return wines.find((wine) => wine.sku === sku);
  }

  async findAll(skus: string[]): Promise<Wine[]> {
    await wait(6);
    return skus.map((sku) => {
      const wine = wines.find((other) => other.sku === sku);
      if (!wine) throw Object.assign(new Error(`no wine ${sku}`), { statusCode: 404 });
      return wine;
    });
  }
}
