import { setTimeout as wait } from 'node:timers/promises';

export interface Item {
  id: number;
  place: string;
  kind: string;
  colour: string;
  foundOn: string;
}

const items: Item[] = [
  { id: 901, place: 'Bern', kind: 'bag', colour: 'black', foundOn: '2025-03-02' },
  { id: 902, place: 'Bern', kind: 'coat', colour: 'red', foundOn: '2025-03-03' },
  { id: 903, place: 'Thun', kind: 'bag', colour: 'green', foundOn: '2025-03-03' },
  { id: 904, place: 'Basel SBB', kind: 'phone', colour: 'black', foundOn: '2025-03-04' },
  { id: 905, place: 'Olten', kind: 'coat', colour: 'blue', foundOn: '2025-03-04' },
  { id: 906, place: 'Zürich HB', kind: 'bag', colour: 'black', foundOn: '2025-03-05' },
  { id: 907, place: 'Zug', kind: 'bag', colour: 'brown', foundOn: '2025-03-05' },
  { id: 908, place: 'Chur', kind: 'phone', colour: 'white', foundOn: '2025-03-06' },
];

export async function itemsAt(place: string): Promise<Item[]> {
  await wait(6);
  return items.filter((item) => item.place === place);
}
