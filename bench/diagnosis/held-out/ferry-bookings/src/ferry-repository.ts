import { setTimeout as delay } from 'node:timers/promises';
import type { Ferry, Vehicle } from './types.ts';

const ferries: Ferry[] = [
  { id: 'puffin', name: 'MV Puffin', crossing: 'oban-craignure', departs: '07:25', laneMetres: 120 },
  { id: 'orca', name: 'MV Orca', crossing: 'oban-craignure', departs: '08:40', laneMetres: 310 },
  { id: 'tern', name: 'MV Tern', crossing: 'largs-cumbrae', departs: '07:00', laneMetres: 90 },
  { id: 'gannet', name: 'MV Gannet', crossing: 'largs-cumbrae', departs: '07:45', laneMetres: 90 },
];

const decks: Record<string, { name: string; clearanceM: number }[]> = {
  puffin: [{ name: 'main', clearanceM: 2.6 }],
  orca: [
    { name: 'upper', clearanceM: 2.1 },
    { name: 'main', clearanceM: 4.8 },
  ],
  tern: [{ name: 'main', clearanceM: 4.5 }],
  gannet: [{ name: 'main', clearanceM: 4.5 }],
};

export class FerryRepository {
  async departures(crossing: string): Promise<Ferry[]> {
    await delay(2);
    return ferries.filter((ferry) => ferry.crossing === crossing);
  }

  async deckFor(ferryId: string, vehicle: Vehicle): Promise<string | undefined> {
    await delay(1);
    return decks[ferryId]?.find((deck) => deck.clearanceM >= vehicle.heightM)?.name;
  }
}
