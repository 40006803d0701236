import { HttpError } from './http-error.ts';

export type Guest = 'member' | 'guest';

export interface Stay {
  place: 'bunk' | 'room';
  guests: Guest[];
  nights: number;
  halfBoard: boolean;
}

function count(params: URLSearchParams, name: string, fallback: number): number {
  const value = Number(params.get(name) ?? fallback);
  if (!Number.isInteger(value) || value < 0) throw new HttpError(400, `${name} must be a whole number`);
  return value;
}

export function parseStay(params: URLSearchParams): Stay {
  const members = count(params, 'members', 0);
  const others = count(params, 'others', 0);
  return {
    place: params.get('place') === 'room' ? 'room' : 'bunk',
    guests: [...Array<Guest>(members).fill('member'), ...Array<Guest>(others).fill('guest')],
    nights: count(params, 'nights', 1),
    halfBoard: params.get('board') === 'half',
  };
}
