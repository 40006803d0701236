import type { Desk } from '../desks/directory.ts';
import type { Item } from './store.ts';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

function whereIs(item: Item, desk: Desk): string {
  return item.place === desk.name ? `room ${desk.rooms[item.kind]}` : `held in ${item.place}`;
}

export function describe(item: Item, desk: Desk): string {
  return `${item.id}: ${item.colour} ${item.kind}, found on ${day.format(new Date(item.foundOn))}, ${whereIs(
    item,
    desk,
  )}`;
}
