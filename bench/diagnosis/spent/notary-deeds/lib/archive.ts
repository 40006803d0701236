import { setTimeout as wait } from 'node:timers/promises';

export interface Deed {
  id: string;
  kind: string;
  people: string[];
  signature: string;
}

export function createArchive() {
  const deeds = new Map<string, Deed>();

  return {
    async insert(deed: Deed): Promise<void> {
      await wait(2);
      if (deeds.has(deed.id)) throw new Error(`deed ${deed.id} is already in the archive`);
      deeds.set(deed.id, deed);
    },

    async get(id: string): Promise<Deed> {
      await wait(2);
      const deed = deeds.get(id);
      if (!deed) throw Object.assign(new Error(`no deed ${id}`), { status: 404 });
      return deed;
    },
  };
}
