import { expression } from './grammar-expressions.ts';
import { classText, functionText } from './grammar-functions.ts';
import { canAwait, type Place } from './grammar-parts.ts';
import { type Declaration, NameScope } from './grammar-scope.ts';
import type { Writing } from './grammar-writing.ts';

export function items(w: Writing, place: Place): string {
  const count = place.depth > 6 || w.parts > 120 ? 1 : 1 + w.pick(4);
  return Array.from({ length: count }, () => item(w, place)).join('');
}

/** Writes a statement or declaration, including the text that ends it. */
function item(w: Writing, place: Place): string {
  w.parts++;
  if (place.depth > 6 || w.parts > 120) return `say(${w.name()})${w.end()}`;
  switch (w.pick(14)) {
    case 0:
    case 1:
      return variables(w, place);
    case 2: {
      const name = w.declared(place.scope, 'function');
      const kind = w.kind();
      if (name === undefined) return ';';
      const label = kind === 'sync' && !place.isStrict && w.flip(4) ? 'f1:§' : '';
      return `${label}${functionText(w, place, kind, ` ${name}`)}§${w.flip(2) ? `go(${name})${w.end()}` : ''}`;
    }
    case 3: {
      const name = w.declared(place.scope, 'lexical');
      return name === undefined ? ';' : `${classText(w, place, ` ${name}`)}\ngo(${name})${w.end()}`;
    }
    case 4:
      return w.flip(6) ? manyBindings(w, place) : `say(${expression(w, place)})${w.end()}`;
    default:
      return statement(w, place);
  }
}

function variables(w: Writing, place: Place): string {
  const word = w.oneOf(['var', 'let', 'const', 'let', 'const', 'using']);
  const how: Declaration = word === 'var' ? 'var' : 'lexical';
  const name = w.declared(place.scope, how);
  if (name === undefined) return ';';
  const value = expression(w, place);
  if (word === 'using') {
    if (place.depth < 2 || place.inSwitch) return ';';
    const held = w.oneOf(['null', "{ [Symbol.dispose]() { log('disposed') } }"]);
    const awaited = canAwait(place) && w.flip(3) ? 'await ' : '';
    return `${awaited}using ${name} = ${awaited === '' ? held : "{ async [Symbol.asyncDispose]() { log('disposed') } }"}\n`;
  }
  const second = w.flip(3) ? w.declared(place.scope, how) : undefined;
  const more = second === undefined ? '' : `§,§${second}§=§${expression(w, place)}`;
  switch (w.pick(7)) {
    case 0:
      return `${word} [§${name}§=§${value}§]§=§[]${more}${w.end()}`;
    case 1:
      return `${word} {§a:§${name}§}§=§{ a: ${value} }${more}${w.end()}`;
    case 2:
      return `${word} {§[§'a'§]:§[§,§...§${name}§]§=§[1, ${value}]§}§=§{}${more}${w.end()}`;
    case 3:
      return word === 'const' ? `const ${name}§=§${value}${w.end()}` : `${word} ${name}${more}${w.end()}`;
    default:
      return `${word} ${w.spelled(name)}§=§${value}${more}${w.end()}`;
  }
}

/** Writes a block with many bindings, often more than a step shows. */
function manyBindings(w: Writing, place: Place): string {
  const count = w.oneOf([150, 201, 260, w.flip(20) ? 5000 : 210]) ?? 201;
  const each = w.oneOf([
    (n: number) => `let v${n} = ${n}`,
    (n: number) => `const { v${n} } = { v${n}: ${n} }`,
    (n: number) => `var v${n} = ${n}`,
    (n: number) => `{ let v${n} = ${n}; v0 += v${n} }`,
  ]);
  const lines = Array.from({ length: count }, (_, n) => each?.(n + 1) ?? '');
  return `{ let v0 = 1; ${lines.join(';')}; say(v0); ${item(w, { ...place, scope: new NameScope(place.scope, false), depth: place.depth + 1 })} }`;
}

function statement(w: Writing, place: Place): string {
  w.parts++;
  if (place.depth > 6 || w.parts > 120) return `say(${w.name()})${w.end()}`;
  const label = w.flip(4) ? w.oneOf(['l1', 'l2', 'await_', 'ñ']) : undefined;
  if (label === undefined || place.labels.some(({ name }) => name === label)) return unlabelled(w, place, []);
  return `${label}§:§${unlabelled(w, place, [label])}`;
}

function unlabelled(w: Writing, place: Place, labels: readonly string[]): string {
  const loopLabels = labels.map((name) => ({ name, isLoop: true }));
  const inner: Place = {
    ...place,
    depth: place.depth + 1,
    labels: [...place.labels, ...labels.map((name) => ({ name, isLoop: false }))],
  };
  const loop: Place = { ...inner, labels: [...place.labels, ...loopLabels], inLoop: true };
  const value = (): string => expression(w, place);
  switch (w.pick(24)) {
    case 0:
    case 1:
      return `${value()}${w.end()}`;
    case 2:
      return `try { say(${value()}) } catch (v) { oops(v) }`;
    case 3:
      return ';';
    case 4:
      return block(w, inner);
    case 5:
    case 6: {
      const other = w.flip(2) ? `§else ${body(w, inner)}` : '';
      return `if§(§${value()}§)§${body(w, inner)}${other}`;
    }
    case 7:
    case 8:
      return forLoop(w, loop);
    case 9:
    case 10:
      return forEach(w, loop);
    case 11:
      return `while§(§useFuel()§&&§${value()}§)§${body(w, loop)}`;
    case 12:
      return `do §${body(w, loop)}§while§(§useFuel()§&&§${value()}§)${w.end()}`;
    case 13:
      return switchText(w, { ...inner, inSwitch: true });
    case 14:
    case 15:
    case 16:
      return tryText(w, inner);
    case 17:
      return place.canReturn ? `return ${w.flip(4) ? '' : value()}${w.end()}` : ';';
    case 18:
      return `throw ${w.oneOf([value(), 'new Error("x")', 'null'])}${w.end()}`;
    case 19: {
      const target = w.oneOf(inner.labels);
      if (target !== undefined && w.flip(2)) return `break ${target.name}${w.end()}`;
      return place.inLoop || place.inSwitch ? `break${w.end()}` : ';';
    }
    case 20: {
      const target = w.oneOf(place.labels.filter(({ isLoop }) => isLoop));
      if (!place.inLoop) return ';';
      return `continue${target !== undefined && w.flip(2) ? ` ${target.name}` : ''}${w.end()}`;
    }
    case 21:
      return place.isStrict
        ? 'debugger\n'
        : `with§(§{ a: ${value()}, get _f() { return say(1) } }§)§${body(w, inner)}`;
    case 22:
      return `eval(${JSON.stringify(w.oneOf(['a', 'var a = 3', 'b = 4', 'let a = 1; a', 'function e() {}', 'typeof v0', 'arguments']))})${w.end()}`;
    default:
      return `if§(§${value()}§)§${!place.isStrict && w.flip(6) ? `function ${w.declared(new NameScope(place.scope, false), 'function') ?? 'a'}§()§{}` : body(w, inner)}`;
  }
}

function block(w: Writing, place: Place): string {
  return `{§${items(w, { ...place, scope: new NameScope(place.scope, false) })}§}`;
}

/** Writes the body after the head of a loop or an `if`. */
function body(w: Writing, place: Place): string {
  return w.flip(2) ? block(w, place) : statement(w, place);
}

function forLoop(w: Writing, place: Place): string {
  const scope = new NameScope(place.scope, false);
  const inner = { ...place, scope };
  const word = w.oneOf(['let', 'var', 'const', '']);
  const name = (word !== '' && w.declared(scope, word === 'var' ? 'var' : 'lexical')) || undefined;
  const init =
    name === undefined
      ? w.oneOf(['', expression(w, place)])
      : `${word} ${name}§=§${w.oneOf(['0', `()§=>§${name}`, expression(w, inner)])}`;
  const update = w.oneOf([
    '',
    name === undefined || word === 'const' ? '' : `${name}++`,
    expression(w, inner),
  ]);
  return `for§(§${init}§;§useFuel()§&&§${expression(w, inner)}§;§${update}§)§${body(w, inner)}`;
}

function forEach(w: Writing, place: Place): string {
  const scope = new NameScope(place.scope, false);
  const inner = { ...place, scope };
  const word = w.oneOf(['let', 'const', 'var', '']);
  const name = word === '' ? undefined : w.declared(scope, word === 'var' ? 'var' : 'lexical');
  const target =
    name === undefined
      ? w.oneOf(['a', '[b]', '{ c }', '$.a', '($.b)[0]'])
      : `${word} ${w.oneOf([name, `[§${name}§]`, `{ a:§${name}§=§1 }`])}`;
  switch (canAwait(place) ? w.pick(4) : w.pick(2)) {
    case 0:
      return `for§(§${target} of§[§${expression(w, place)}§,§[1]§]§)§${body(w, inner)}`;
    case 1:
      return `for§(§${target} in§{ k:§${expression(w, place)}, l: 1 }§)§${body(w, inner)}`;
    default:
      return `for await§(§${target} of§${w.oneOf(['[1, [2]]', '(async function* () { yield [1]; yield 2 })()', `[${expression(w, place)}]`])}§)§${body(w, inner)}`;
  }
}

function switchText(w: Writing, place: Place): string {
  const inner = { ...place, scope: new NameScope(place.scope, false) };
  const cases = Array.from({ length: 1 + w.pick(3) }, (_, index) => {
    const head = index === 1 ? 'default§:' : `case ${expression(w, inner)}§:`;
    return `${head}§${w.flip(5) ? '' : items(w, inner)}`;
  });
  return `switch§(§${expression(w, place)}§)§{§${cases.join('')}§}`;
}

function tryText(w: Writing, place: Place): string {
  const name = w.name();
  const scope = new NameScope(place.scope, false);
  const parameter = w.oneOf(['', `(${name})§`, `({ message: ${name} = 1 })§`, `([${name}])§`]);
  if (parameter !== '') scope.declare(name, 'lexical');
  const handler = w.flip(5) ? '' : `catch§${parameter}{§${items(w, { ...place, scope })}§}`;
  const last = handler === '' || w.flip(3) ? `finally§${block(w, place)}` : '';
  return `try§${block(w, place)}§${handler}§${last}`;
}
