import { setTimeout as wait } from 'node:timers/promises';
import { rowsOf } from './csv.ts';

export interface Boat {
  name: string;
  base: string;
  berths: string;
  perDay: number;
}

const csv = `
name,base,berths,perDay
Kingfisher,Braunston,2,95
Heron,Braunston,4,120
Otter,Braunston,6,155
Grebe,Braunston,8,190
Great Bittern,Braunston,12,260
Wagtail,Stourport,4,115
Dipper,Stourport,6,149
Cormorant,Stourport,10,230
`;

function toBoat({ name = '', base = '', berths = '', perDay }: Record<string, string>): Boat {
  return { name, base, berths, perDay: Number(perDay) };
}

export async function boatsAt(base: string): Promise<Boat[]> {
  await wait(6);
  return [...rowsOf(csv)].map(toBoat).filter((boat) => boat.base === base);
}
