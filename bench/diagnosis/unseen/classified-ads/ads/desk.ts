import { setTimeout as wait } from 'node:timers/promises';
import { isPlain, isShouting, unwantedWords } from './checks.ts';
import { centsFor } from './prices.ts';

export interface Draft {
  section: string;
  title: string;
  text: string;
}

interface Ad extends Draft {
  id: number;
  state: string;
}

const ads: Ad[] = [];

function stateFor({ title, text }: Draft): string {
  if (unwantedWords(`${title} ${text}`).length > 0) return 'rejected';
  return isPlain(title) && !isShouting(title) ? 'published' : 'in review';
}

export async function find(id: number): Promise<Ad | undefined> {
  await wait(3);
  return ads.find((ad) => ad.id === id);
}

export async function submit(draft: Draft) {
  const state = stateFor(draft);
  await wait(6);
  const id = ads.length + 1;
  ads.push({ id, state, ...draft });
  return { id, state, cents: centsFor(draft.section, draft.text) };
}
