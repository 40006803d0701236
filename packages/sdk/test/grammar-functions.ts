import { type FunctionKind, inside, type Place } from './grammar-parts.ts';
import type { Writing } from './grammar-writing.ts';

export function functionText(w: Writing, outer: Place, kind: FunctionKind, name: string): string {
  const async = kind === 'async' || kind === 'asyncGenerator' ? 'async ' : '';
  const star = kind === 'generator' || kind === 'asyncGenerator' ? '§*' : '';
  return `${async}function${star}${name}${parametersAndBody(w, outer, kind)}`;
}

/** Writes the parameters and the body of a function: `(…) { … }` */
export function parametersAndBody(
  w: Writing,
  outer: Place,
  kind: FunctionKind,
  more: Partial<Place> = {},
): string {
  const inner = inside(outer, kind, { hasArguments: true, hasSuper: false, ...more });
  const { text, isSimple } = parameters(w, inner);
  const isStrict = isSimple && w.flip(8);
  const place = { ...inner, isStrict: inner.isStrict || isStrict };
  const directive = isStrict ? `'use strict'${w.end()}` : w.flip(12) ? "'use nothing'\n" : '';
  return `§(${text})§{§${directive}useFuel()${w.end()}${w.rules.items(w, place)}§}`;
}

function parameters(w: Writing, place: Place): { text: string; isSimple: boolean } {
  const used: string[] = [];
  const parameter = (): string => {
    const name = w.name();
    if (used.includes(name)) return '';
    used.push(name);
    place.scope.declare(name, 'var');
    return name;
  };
  const parts = Array.from({ length: w.pick(4) }, parameter).filter((name) => name !== '');
  if (parts.length === 0 || w.flip(2)) return { text: parts.join('§,§'), isSimple: true };
  const outer: Place = { ...place, kind: 'sync', depth: place.depth + 1 };
  const patterns = parts.map((name, index) => {
    switch (w.pick(6)) {
      case 0:
        return `${name}§=§${w.rules.expression(w, outer)}`;
      case 1:
        return `{§a:§${name}§=§${w.rules.expression(w, outer)}§}§=§{}`;
      case 2:
        return `[§,§${name}§]§=§[]`;
      case 3:
        return `${name}§=§()§=>§${w.name()}`;
      default:
        return index === parts.length - 1 ? `...§${name}` : name;
    }
  });
  return { text: patterns.join('§,§'), isSimple: false };
}

export function arrow(w: Writing, outer: Place): string {
  const isAsync = w.flip(3);
  const place = inside(outer, isAsync ? 'async' : 'sync');
  const { text } = parameters(w, place);
  const async = isAsync ? 'async ' : '';
  if (w.flip(2)) return `${async}(${text}) =>§(${w.rules.expression(w, place)}§)`;
  return `${async}(${text}) =>§{§useFuel()${w.end()}${w.rules.items(w, place)}§}`;
}

export function classText(w: Writing, outer: Place, name: string): string {
  const place: Place = { ...outer, isStrict: true, depth: outer.depth + 1, kind: 'sync', canReturn: false };
  const extended = w.flip(3)
    ? ' extends (class { constructor() { this.base = 1 } m() { return 1 } static s() { return 2 } })'
    : '';
  const members = Array.from({ length: w.pick(4) }, (_, index) => member(w, place, index, extended !== ''));
  return `class${name}${extended}§{§${members.join('§;§')}§}`;
}

function member(w: Writing, place: Place, index: number, isDerived: boolean): string {
  const key = w.oneOf([
    'm',
    `#p${index}`,
    "'s t'",
    `[§plain(${w.rules.expression(w, { ...place, kind: 'sync' })})§]`,
    'get',
    '7',
    'async',
    'static',
  ]);
  const isStatic = w.flip(4) ? 'static ' : '';
  const member: Partial<Place> = { hasSuper: true };
  const field = inside(place, 'sync', { ...member, canReturn: false, hasArguments: false });
  switch (w.pick(8)) {
    case 0:
      return `${isStatic}${key}§=§${w.rules.expression(w, field)}`;
    case 1:
      return `${isStatic}${key}${parametersAndBody(w, place, 'sync', member)}`;
    case 2:
      return `${isStatic}async ${key}${parametersAndBody(w, place, 'async', member)}`;
    case 3:
      return `${isStatic}*${key}${parametersAndBody(w, place, 'generator', member)}`;
    case 4:
      return `${isStatic}get ${key}§()§{ useFuel()${w.end()}${w.rules.items(w, inside(place, 'sync', member))} }`;
    case 5:
      return `static§{§${w.rules.items(w, field)}§}`;
    case 6:
      return index > 0
        ? `${isStatic}async *${key}${parametersAndBody(w, place, 'asyncGenerator', member)}`
        : `constructor§()§{ useFuel()${w.end()}${isDerived ? w.oneOf(['super()', '(() => super())()', 'say(super(1))']) : 'say(new.target)'}${w.end()}${w.rules.items(w, inside(place, 'sync', member))} }`;
    default:
      return `${isStatic}${key}`;
  }
}
