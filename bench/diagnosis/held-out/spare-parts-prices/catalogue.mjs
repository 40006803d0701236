const rows = [
  ['BR-2210', 'Brake disc, front', 64.9],
  ['BR-2211', 'Brake pads, front', 38.5],
  ['FI-0907', 'Oil filter', 9.2],
  ['FI-0911', 'Cabin filter', 17.75],
  ['WI-3002', 'Wiper blade 600 mm', 14.4],
];

class Catalogue {
  constructor(rows) {
    this.byNumber = new Map(rows.map(([number, name, retail]) => [number, { number, name, retail }]));
  }

  async find(number) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return this.byNumber.get(number.toUpperCase());
  }
}

export const catalogue = new Catalogue(rows);
