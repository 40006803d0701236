import { setTimeout as wait } from 'node:timers/promises';

const people: Record<string, string> = {
  p1: 'Ines Calder',
  p2: 'Tom Brandt',
  p3: 'Hannah Weiss',
  p4: 'Luis Ortega',
  p5: 'Greta Lind',
  p6: 'Bruno Keller',
  p7: 'Yara Haddad',
};

export function createRegister() {
  return {
    async nameOf(id: string): Promise<string> {
      await wait(16);
      const name = people[id];
      if (!name) throw Object.assign(new Error(`${id} is not in the register`), { status: 422 });
      return name;
    },
  };
}
