import { setTimeout as wait } from 'node:timers/promises';
import { planRoute } from './route.ts';
import type { Stop } from './stops.ts';

interface Courier {
  name: string;
  bike: 'road' | 'cargo';
  maxKilos: number;
  maxKilometres: number;
}

const couriers: Courier[] = [
  { name: 'Jonas', bike: 'road', maxKilos: 6, maxKilometres: 9 },
  { name: 'Amira', bike: 'road', maxKilos: 8, maxKilometres: 14 },
  { name: 'Piet', bike: 'cargo', maxKilos: 70, maxKilometres: 11 },
];

export class Dispatcher {
  async dispatch(from: Stop, to: Stop, kilos: number) {
    const route = await planRoute(from, to);
    const courier = await this.chooseCourier(route.kilometres, kilos);
    return {
      courier: courier.name,
      via: route.via,
      minutes: this.minutes(route.kilometres, courier),
      fee: this.fee(route.kilometres, kilos),
    };
  }

  async chooseCourier(kilometres: number, kilos: number): Promise<Courier> {
    await wait(6);
    const courier = couriers.find((other) => other.maxKilos >= kilos && other.maxKilometres >= kilometres);
    if (!courier) throw Object.assign(new Error('no courier can take this delivery'), { status: 409 });
    return courier;
  }

  minutes(kilometres: number, { bike }: Courier): number {
    return Math.ceil((kilometres / (bike === 'cargo' ? 13 : 19)) * 60) + 4;
  }

  fee(kilometres: number, kilos: number): string {
    const cents = 450 + Math.round(kilometres * 95) + (kilos > 10 ? 400 : 0);
    return (cents / 100).toFixed(2);
  }
}
