import { setTimeout as wait } from 'node:timers/promises';
import { dogs, owners, type Dog, type Owner } from './tables.ts';

const currentOwners = (): Map<string, Owner> =>
  new Map(owners.filter(({ mergedInto }) => mergedInto === null).map((owner) => [owner.id, owner]));

function withOwner(dog: Dog, byId: ReadonlyMap<string, Owner>) {
  const holder = byId.get(dog.owner) ?? null;
  return { ...dog, holder };
}

export async function dogWithOwner(tag: string) {
  await wait(5);
  const dog = dogs.find((other) => other.tag === tag);
  return dog ? withOwner(dog, currentOwners()) : null;
}

export async function currentOwner(id: string): Promise<Owner | null> {
  await wait(3);
  const owner = owners.find((other) => other.id === id) ?? null;
  return owner?.mergedInto ? currentOwner(owner.mergedInto) : owner;
}

export async function dogsOf(owner: Owner): Promise<Dog[]> {
  await wait(3);
  const ids = new Set([
    owner.id,
    ...owners.filter((other) => other.mergedInto === owner.id).map(({ id }) => id),
  ]);
  return dogs.filter((dog) => ids.has(dog.owner));
}
