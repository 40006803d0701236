import type { Owner } from './tables.ts';

export const salutation = ({ title, surname }: Owner): string => `Dear ${title} ${surname},`;

export const addressLines = (owner: Owner): string[] => [`${owner.title} ${owner.surname}`, owner.street];

export const paragraph = (dog: { name: string; tag: string }, total: number, until: string): string =>
  `the licence of ${dog.name} (${dog.tag}) ended on ${until}. Please pay ${total} euros.`;

export const compose = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n');
