import type { Entry } from './catalogue.ts';
import { mentions, placeholdersOf } from './placeholders.ts';

export interface Finding {
  readonly message: string;
  readonly blocks: boolean;
}

type Check = (entry: Entry, text: string) => Finding[];

const length: Check = ({ maxLength }, text) =>
  text.length > maxLength ? [{ message: `longer than ${maxLength} characters`, blocks: true }] : [];

const ending: Check = ({ source }, text) =>
  /[.!?]$/.test(source) === /[.!?]$/.test(text) ? [] : [{ message: 'ends differently', blocks: false }];

const placeholders: Check = ({ source }, text) =>
  placeholdersOf(source)
    .filter((name) => !mentions(text, name))
    .map((name) => ({ message: `{${name}} is missing`, blocks: true }));

const checks: Check[] = [length, ending, placeholders];

export function review(entry: Entry, text: string): Finding[] {
  return checks.flatMap((check) => check(entry, text));
}
