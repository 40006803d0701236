import { setTimeout as wait } from 'node:timers/promises';

export interface Slot {
  from: string;
  title: string;
  days: string;
}

const plans: Record<string, Slot[]> = {
  spree: [
    { from: '00:00', title: 'Night Mix', days: '0123456' },
    { from: '06:00', title: 'Good Morning Spree', days: '12345' },
    { from: '08:00', title: 'Slow Breakfast', days: '06' },
    { from: '12:00', title: 'Midday Magazine', days: '0123456' },
    { from: '17:30', title: 'Drive', days: '12345' },
    { from: '20:00', title: 'Jazz at Eight', days: '0123456' },
    { from: '21:15', title: 'Nightline', days: '1234' },
  ],
  tejo: [
    { from: '00:00', title: 'Fado Nights', days: '0123456' },
    { from: '07:00', title: 'Bom Dia', days: '0123456' },
    { from: '13:00', title: 'Tarde Livre', days: '0123456' },
    { from: '19:00', title: 'Noticiário', days: '12345' },
  ],
  saaristo: [
    { from: '00:00', title: 'Sea Weather Loop', days: '0123456' },
    { from: '07:30', title: 'Ferry Hour', days: '0123456' },
    { from: '18:00', title: 'Archipelago News', days: '12345' },
  ],
};

export async function slotsOn(stationId: string, weekday: number): Promise<Slot[]> {
  await wait(6);
  return (plans[stationId] ?? []).filter(({ days }) => days.includes(String(weekday)));
}
