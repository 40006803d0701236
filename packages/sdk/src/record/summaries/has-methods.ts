import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isProxy,
  objectPrototype,
  ownNames,
} from '../writer/primordials.ts';

const MAX_CHAIN = 32;
const known = new WeakMap<object, boolean>();
const recall = known.get.bind(known);
const remember = known.set.bind(known);

/** True if the class of this prototype has methods. An instance without methods only contains data. */
export function hasMethods(prototype: object): boolean {
  let answer = recall(prototype);
  if (answer === undefined) {
    answer = findMethod(prototype);
    remember(prototype, answer);
  }
  return answer;
}

function findMethod(prototype: object): boolean {
  let link: object | null = prototype;
  for (let steps = 0; link !== null && steps < MAX_CHAIN && !isProxy(link); steps++) {
    if (link === objectPrototype) return false;
    const names = ownNames(link);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      if (name !== 'constructor' && typeof getOwnPropertyDescriptor(link, name)?.value === 'function')
        return true;
    }
    link = getPrototypeOf(link);
  }
  return false;
}
