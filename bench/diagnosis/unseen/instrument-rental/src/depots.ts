interface Depot {
  town: string;
  regions: string;
  euros: number;
}

const depots: Depot[] = [
  { town: 'Leipzig', regions: '013', euros: 25 },
  { town: 'Bremen', regions: '2', euros: 18 },
  { town: 'Bonn', regions: '456', euros: 20 },
  { town: 'Augsburg', regions: '789', euros: 22 },
];

export function depotFor(zip: string): Depot {
  const depot = depots.find(({ regions }) => regions.includes(zip.charAt(0)));
  if (!depot) throw Object.assign(new Error(`no depot delivers to ${zip}`), { status: 422 });
  return depot;
}
