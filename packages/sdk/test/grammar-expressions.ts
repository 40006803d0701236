import { arrow, classText, functionText, parametersAndBody } from './grammar-functions.ts';
import { canAwait, canYield, inside, type Place } from './grammar-parts.ts';
import type { Writing } from './grammar-writing.ts';

export function expression(w: Writing, place: Place): string {
  w.parts++;
  const name = w.spelled(w.name());
  if (place.depth > 6 || w.parts > 160) return name;
  const deeper: Place = { ...place, depth: place.depth + 1 };
  const inner = (): string => expression(w, deeper);
  const target = w.name();
  switch (w.pick(32)) {
    case 0:
    case 1:
      return name;
    case 2:
      return w.oneOf(['0', '1', "'s'", 'null', '/[/}]+/u', '-0', '1n', '`t`']) ?? '0';
    case 3:
      return `say(§${inner()}§)`;
    case 4:
      return `cut(plain(${inner()})§+§plain(${inner()}))`;
    case 5:
      return `(${inner()}§?§${inner()}§:§${inner()})`;
    case 6:
    case 7:
      return `(${target}§=§${inner()})`;
    case 8:
      return `${target}§${w.oneOf(['??=', '||=', '&&=', '-=', '**=', '>>>=', '|='])}§${place.depth > 3 ? '1' : inner()}`
        .replace(/^/, '(')
        .concat(')');
    case 9:
      return w.oneOf([`${target}++`, `--§${target}`, `(${target}--)`, `-${target}++`]) ?? '0';
    case 10:
      return `([§${target}§=§${inner()}§,§...§${w.name()}§]§=§[§,§${inner()}§])`;
    case 11:
      return `({§a:§${target}§=§${inner()}§,§...§$.b§}§=§{ a:§${inner()} })`;
    case 12:
      return `(${inner()}§,§${inner()})`;
    case 13:
    case 14:
      return `go(${arrow(w, deeper)}§,§${inner()})`;
    case 15:
      return `(${functionText(w, deeper, w.kind(), w.flip(2) ? '' : ` ${target}`)})`;
    case 16:
      return `(${classText(w, deeper, w.flip(2) ? '' : ` ${target}`)})`;
    case 17:
      return `{ ${w.oneOf([`m${parametersAndBody(w, deeper, 'sync', { hasSuper: true })}`, `get g() { return ${expression(w, inside(deeper, 'sync'))} }`, `[plain(${inner()})]: 1`, `async *'x y'${parametersAndBody(w, deeper, 'asyncGenerator', { hasSuper: true })}`])}§,§...§$, a }`
        .replace(/^/, '(')
        .concat(')');
    case 18:
      return canAwait(place) ? `(await ${inner()})` : inner();
    case 19:
      return canYield(place)
        ? (w.oneOf([
            '(yield)',
            `(yield ${inner()})`,
            '(yield* [1, 2])',
            `(yield*§(function* () { yield ${name} })())`,
          ]) ?? '0')
        : inner();
    case 20:
      return `typeof ${name}`;
    case 21:
      return `${w.oneOf(['void', 'delete $.', '!'])}§${name}`.replace('delete $.§', 'delete $.');
    case 22:
      return `$?.§${w.oneOf(['a', "['b']", 'b?.[0]', 'zz?.(1)'])}`;
    case 23:
      return place.hasArguments && !place.isStrict
        ? (w.oneOf(['arguments.length', 'say(arguments[0])', '(arguments[0] = 5)']) ?? '0')
        : 'typeof this';
    case 24:
      return place.hasSuper
        ? (w.oneOf(['super.m', 'super.toString.name', '(super.x = 2)']) ?? '0')
        : '[§...§[1]§]';
    case 25:
      return `((x, ...y) => y.length)\`\${${inner()}}\``;
    case 26:
      return place.canReturn && place.hasArguments ? 'say(new.target === undefined)' : 'null';
    case 27:
      return `(§eval(${w.oneOf(["'a'", "'b'", "'1'"])}))`;
    case 28:
      return `(${target}§=§${arrow(w, deeper)})`;
    case 29:
      return `go(${name}§,§${inner()})`;
    default:
      return `[${inner()}§,§${inner()}]`;
  }
}
