import { carrierNames, type Shipment } from './carrier-api.ts';
import { rateOf } from './client.ts';
import { retry } from './retry.ts';

const fuelPercent = 6;

export async function listCarriers() {
  return carrierNames().map((name) => ({ name, label: name.charAt(0).toUpperCase() + name.slice(1) }));
}

function listPrice({ kilos }: Shipment): number {
  return 3900 + Math.ceil(kilos / 50) * 2800;
}

const withFuel = (cents: number): number => Math.round((cents * (100 + fuelPercent)) / 100);

function checked(shipment: Shipment): Shipment {
  const valid = carrierNames().includes(shipment.carrier) && /^\d{5}$/.test(shipment.zip) && shipment.kilos > 0;
  if (!valid) throw Object.assign(new Error('carrier, zip or kilos are wrong'), { status: 400 });
  return shipment;
}

async function priceFor(shipment: Shipment): Promise<{ cents: number; source: string }> {
  try {
    return { cents: await retry(() => rateOf(shipment), 3), source: 'carrier' };
  } catch {
    return { cents: listPrice(shipment), source: 'price list' };
  }
}

export async function quote(request: Shipment) {
  const shipment = checked(request);
  const { cents, source } = await priceFor(shipment);
  return { carrier: shipment.carrier, to: shipment.zip, cents: withFuel(cents), source };
}
