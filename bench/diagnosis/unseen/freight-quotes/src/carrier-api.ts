import { setTimeout as wait } from 'node:timers/promises';

export interface Shipment {
  carrier: string;
  zip: string;
  kilos: number;
}

interface Carrier {
  centsPerKilo: number;
  base: number;
  refused: string[];
  requests: number;
}

const carriers: Record<string, Carrier> = {
  nordfracht: { centsPerKilo: 42, base: 1900, refused: ['25946', '25980', '26465'], requests: 0 },
  rheinline: { centsPerKilo: 38, base: 2400, refused: ['83486'], requests: 0 },
  blitz: { centsPerKilo: 71, base: 1200, refused: [], requests: 0 },
};

const failure = (status: number, message: string) => Object.assign(new Error(message), { status });

export const carrierNames = (): string[] => Object.keys(carriers);

export async function requestRate({ carrier, zip, kilos }: Shipment): Promise<number> {
  await wait(8);
  const tariff = carriers[carrier];
  if (!tariff) throw failure(404, `no carrier is called ${carrier}`);
  if (tariff.refused.includes(zip)) throw failure(422, `${zip} is not served`);
  tariff.requests += 1;
  if (tariff.requests % 3 === 0) throw failure(503, 'busy');
  return tariff.base + tariff.centsPerKilo * kilos;
}
