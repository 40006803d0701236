import type { Desk } from '../desks/directory.ts';
import { itemsAt, type Item } from './store.ts';

export interface Wanted {
  kind: string;
  colour: string;
}

function matches(item: Item, { kind, colour }: Wanted): boolean {
  return (kind === '' || item.kind === kind) && (colour === '' || item.colour === colour);
}

function places(desk: Desk): string[] {
  return [desk.name, ...desk.partners];
}

export async function search(desk: Desk, wanted: Wanted): Promise<Item[]> {
  const found = await Promise.all(places(desk).map((place) => itemsAt(place)));
  return found.flat().filter((item) => matches(item, wanted));
}
