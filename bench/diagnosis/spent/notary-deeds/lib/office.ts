import { createArchive } from './archive.ts';
import type { Draft } from './draft.ts';
import { createNumbering } from './numbering.ts';
import { createRegister } from './register.ts';
import { seal } from './seal.ts';

const yearOf = (day: string) => Number(day.slice(0, 4));
const format = (year: number, number: number) => `${year}-${String(number).padStart(4, '0')}`;

export function createOffice() {
  const register = createRegister();
  const numbering = createNumbering({ 2024: 1902, 2025: 411 });
  const archive = createArchive();

  async function identify(parties: string[]) {
    const people: string[] = [];
    for (const party of parties) people.push(await register.nameOf(party));
    return people;
  }

  return {
    look: archive.get,

    async register(draft: Draft) {
      const people = await identify(draft.parties);
      const year = yearOf(draft.signedOn);
      const number = await numbering.nextNumber(year);
      const deed = { id: format(year, number), kind: draft.kind, people };
      const signature = await seal(deed);
      await archive.insert({ ...deed, signature });
      await numbering.taken(year, number);
      return { deed: deed.id, title: `${draft.kind} of ${people.join(' and ')}`, signature };
    },
  };
}

export type Office = ReturnType<typeof createOffice>;
