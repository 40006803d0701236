import { setTimeout as wait } from 'node:timers/promises';

export interface Row {
  id: string;
  camp: string;
  arrival: string;
  guest: string;
  pitch: string;
  nights: number;
  extras: string;
}

const rows: Row[] = [
  { id: 'R-3101', camp: 'seeblick', arrival: '2025-07-04', guest: 'Bram de Wit', pitch: 'S12', nights: 3, extras: '["power"]' },
  { id: 'R-3102', camp: 'seeblick', arrival: '2025-07-04', guest: 'Ida Holm', pitch: 'T04', nights: 1, extras: '[]' },
  { id: 'R-3103', camp: 'seeblick', arrival: '2025-07-06', guest: 'Paul Graf', pitch: 'S03', nights: 7, extras: '["power","dog"]' },
  { id: 'R-3104', camp: 'waldrand', arrival: '2025-07-04', guest: 'Lucie Mercier', pitch: 'W21', nights: 2, extras: '["dog"]' },
  { id: 'R-3105', camp: 'waldrand', arrival: '2025-07-05', guest: 'Nils Berg', pitch: 'W07', nights: 4, extras: '["power","boat"]' },
  { id: 'R-3106', camp: 'seeblick', arrival: '2025-07-04', guest: 'Rosa Klein', pitch: 'S15', nights: 5, extras: '["boat"]' },
  { id: 'R-3107', camp: 'seeblick', arrival: '2025-07-05', guest: 'Herbert Wolf', pitch: 'T09', nights: 2, extras: '' },
  { id: 'R-3108', camp: 'seeblick', arrival: '2025-07-05', guest: 'Ana Costa', pitch: 'S01', nights: 2, extras: '["power"]' },
];

export async function selectArrivals(camp: string, day: string): Promise<Row[]> {
  await wait(7);
  return rows.filter((row) => row.camp === camp && row.arrival === day);
}
