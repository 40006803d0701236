import { type Row, selectArrivals } from './rows.ts';

export interface Reservation {
  id: string;
  guest: string;
  pitch: string;
  nights: number;
  extras: string[];
}

function toReservation({ id, guest, pitch, nights, extras }: Row): Reservation | null {
  try {
    return { id, guest, pitch, nights, extras: JSON.parse(extras) as string[] };
  } catch {
    return null;
  }
}

export async function arrivals(camp: string, day: string): Promise<Reservation[]> {
  const rows = await selectArrivals(camp, day);
  return rows.map(toReservation).filter((reservation) => reservation !== null);
}
