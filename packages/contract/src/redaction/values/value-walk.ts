import { type CapturedValue, isTagged, type TaggedValue } from '../../values.ts';
import { DECIDED_BY_VALUE, isCounted, isHolder, type NameVerdict } from '../names/verdicts.ts';
import { isCard, isCardNumber } from '../shapes/cards.ts';
import { mayBeNamedBy, mayBeSecret } from '../shapes/plausible.ts';
import { isAwsKeyId, mayBeAwsSecret } from '../shapes/shapes.ts';
import {
  buildObject,
  type Fields,
  findType,
  hasNoContent,
  isCount,
  isList,
  isRedacted,
  readExactNumber,
} from '../syntax/forms.ts';
import { indexOfName, isPasswordOfUser, isStored } from '../syntax/queries/redis-lists.ts';
import { REDACTED_TEXT } from '../texts/characters.ts';
import { isShownInContainer } from './containers.ts';
import {
  areDescribed,
  canHoldOthers,
  HOLDERS,
  hidesHeaderName,
  isAccountId,
  isKeyed,
  isLeaf,
  isLookedInto,
  isOwned,
  NOT_CAPTURED,
  SESSION_IDS,
  startsWithDash,
  VALIDATED_NAME,
} from './described.ts';
import { isDescription } from './field-descriptions.ts';
import { hideHeld, hideWords, isMapOfSecrets, isSecretItself, isShownBeside } from './held.ts';
import { noteInside } from './inner-texts.ts';
import { findValueRole, isShownText } from './naming.ts';
import { advance, ends } from './paths.ts';
import { NOWHERE, type Place, type Within } from './place.ts';
import { findTelling, holdsSecret, type LeafRules, SiblingRules } from './siblings.ts';
import {
  areMessages,
  CHANGED,
  hideArgument,
  isListOfPairs,
  isPair,
  isPrivatePart,
  isRawHeaders,
  isSchema,
  isSigningKeys,
  isValueInList,
  type Pair,
} from './structure.ts';
import { hideEach } from './tables.ts';

/** Maximum depth of examined values. The SDK never captures deeper values. */
const MAX_DEPTH = 500;

/** Redacts a value recursively. Returns the same value if nothing is hidden. */
export class ValueWalk {
  readonly #rules: LeafRules;
  readonly #siblings: SiblingRules;

  constructor(rules: LeafRules) {
    this.#rules = rules;
    this.#siblings = new SiblingRules(rules, (value) => this.hide(value));
  }

  value(value: CapturedValue, place: Place): CapturedValue {
    if (typeof value === 'string') return this.#string(value, place.within);
    if (typeof value === 'number') return isCard(value) ? { $type: 'redacted', of: 'number' } : value;
    if (typeof value !== 'object' || value === null) return value;
    if (place.depth > MAX_DEPTH) return { $type: 'cut', of: findType(value), reason: 'depth' };
    if (isList(value)) return this.#list(value, place);
    const digits = readExactNumber(value);
    if (digits !== undefined) return isCardNumber(digits) ? { $type: 'redacted', of: 'number' } : value;
    return isTagged(value) ? this.#tagged(value, place) : this.fields(value, place);
  }

  #string(text: string, within: Within): CapturedValue {
    if (within === 'credentials') return this.hide(text);
    if (within === 'likely' && mayBeSecret(text)) return this.hide(text);
    return this.#writeShown(text, this.#rules.text(text, false), within);
  }

  /** Returns the shown form of a string. Where a string can be the secret itself, a string with a secret part is hidden as a whole. */
  #writeShown(text: string, shown: string, within: Within): CapturedValue {
    const hasSecret = shown !== text || text.includes(REDACTED_TEXT);
    if (hasSecret && (within === 'likely' || within === 'credentials')) return this.hide(text);
    // A string that consists entirely of a secret gets the same form as a hidden value.
    return shown === REDACTED_TEXT && text !== shown ? { $type: 'redacted', of: 'string' } : shown;
  }

  hide(value: CapturedValue): CapturedValue {
    // A reference has no content, but the names in its path can contain secrets.
    if (hasNoContent(value)) return isTagged(value) ? this.#tagged(value, NOWHERE) : value;
    if (typeof value === 'string') this.#rules.note(value);
    else noteInside(value, this.#rules);
    return { $type: 'redacted', of: this.#rules.text(findType(value), false) };
  }

  /** Hides a value under a name that the built-in rules count as a secret's, unless the value only describes the secret. */
  #hideNamed(name: string, verdict: NameVerdict, value: CapturedValue, place: Place): CapturedValue {
    if ((name === 'sid' && isAccountId(value)) || isSchema(value)) return value;
    const isShown =
      typeof value === 'string'
        ? isShownText(verdict, value) && !holdsSecret(value, this.#rules)
        : isDescription(name, value) || (VALIDATED_NAME.test(name) && areMessages(value));
    if (!isShown) return this.hide(value);
    const shown = this.value(value, { ...place, within: 'nothing' });
    // A second redaction would not recognize a description with a hidden part, so the description is hidden as a whole.
    return typeof value === 'object' && shown !== value ? this.hide(value) : shown;
  }

  /** Redacts an object's member by its name. */
  member(name: string, verdict: NameVerdict, value: CapturedValue, place: Place): CapturedValue {
    if (ends(place.nodes) || verdict === 'own') return this.hide(value);
    if (verdict === 'secret' || verdict === 'postal' || verdict === 'outcome' || verdict === 'header')
      return this.#hideNamed(name, verdict, value, place);
    if (isCounted(verdict) && isCount(value)) return value;
    if (verdict === 'texts')
      return areDescribed(value) ? this.#likely(value, place) : this.#hideNamed(name, verdict, value, place);
    if (isHolder(verdict))
      return canHoldOthers(value, verdict)
        ? this.#held(name, value, place)
        : this.#hideNamed(name, verdict, value, place);
    if (verdict === 'likely') return this.#likely(value, place);
    if (verdict === 'secret id' && !isLeaf(value)) return this.#likely(value, place);
    if (DECIDED_BY_VALUE.has(verdict)) return this.#account(name, verdict, value, place);
    if (verdict === 'container' || verdict === 'session') {
      if (!isLookedInto(value))
        return typeof value === 'string' &&
          (isShownText(verdict, value) || (verdict === 'session' && !mayBeSecret(value))) &&
          !holdsSecret(value, this.#rules)
          ? this.value(value, { ...place, within: 'nothing' })
          : this.hide(value);
      return this.value(value, { ...place, within: verdict === 'session' ? 'session' : 'credentials' });
    }
    if (place.within === 'session') {
      return typeof value === 'string' && SESSION_IDS.has(name)
        ? this.hide(value)
        : this.value(value, { ...place, within: 'nothing' });
    }
    if (place.within === 'owner' || place.within === 'key owner' || place.within === 'api') {
      const at: Place = { ...place, within: 'nothing' };
      return isOwned(name, place.within, value)
        ? this.#likely(value, at)
        : this.member(name, verdict, value, at);
    }
    if (place.within === 'nothing') return this.value(value, place);
    if (place.within === 'likely')
      return this.value(value, isShownInContainer(name) ? { ...place, within: 'nothing' } : place);
    const within = isShownInContainer(name) ? 'shown' : 'credentials';
    return within === place.within ? this.value(value, place) : this.value(value, { ...place, within });
  }

  #account(name: string, verdict: NameVerdict, value: CapturedValue, place: Place): CapturedValue {
    if (verdict === 'id' && typeof value === 'object' && value !== null && isList(value))
      return hideEach(value, (item) => this.#account(name, verdict, item, place));
    const isSecret = isLeaf(value) ? this.#mayBeNamedBy(verdict, value) : verdict === 'account';
    return isSecret ? this.#hideNamed(name, verdict, value, place) : this.member('', 'plain', value, place);
  }

  #mayBeNamedBy(verdict: NameVerdict, value: string | number): boolean {
    return mayBeNamedBy(verdict, value) || (typeof value === 'string' && holdsSecret(value, this.#rules));
  }

  /** Redacts a value whose name can mean something other than a secret. */
  #likely(value: CapturedValue, place: Place, verdict: NameVerdict = 'likely'): CapturedValue {
    if (isLeaf(value))
      return this.#mayBeNamedBy(verdict, value)
        ? this.hide(value)
        : this.value(value, { ...place, within: 'nothing' });
    const holdsOthers =
      typeof value === 'object' &&
      value !== null &&
      (!isTagged(value) || HOLDERS.has(value.$type)) &&
      !Object.keys(value).some(isKeyed);
    const shown = this.value(value, { ...place, within: 'likely' });
    return holdsOthers ? shown : this.hide(value);
  }

  /** Redacts an object or a list below a name such as `token`. A plain word can be the secret itself. */
  #held(name: string, value: CapturedValue, place: Place): CapturedValue {
    const shown = this.#likely(value, place);
    if (isMapOfSecrets(name, value)) return hideWords(value, shown, (held) => this.hide(held));
    // A second redaction sees only the shown items of a list, so only the shown items decide here.
    if (!isSecretItself(Array.isArray(value) ? shown : value)) return shown;
    return hideHeld(value, shown, (held) => this.hide(held));
  }

  /** Redacts an object's fields. `beside` is the complete object, if `fields` contains only some of its fields. */
  fields(fields: Fields, place: Place, className?: string, beside: Fields = fields): Fields {
    const { nodes, depth, within } = place;
    const below: Place = { nodes: undefined, depth: depth + 1, within };
    let changed: [string, CapturedValue][] | undefined;
    let count = 0;
    let hasKeyId = false;
    let tells = 0;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      if (value === undefined) continue;
      const known = this.#rules.known(key);
      const { verdict, shown: shownKey } = known;
      const at = nodes === undefined ? below : { ...below, nodes: advance(nodes, key) };
      tells |= findTelling(known, value);
      let shown: CapturedValue;
      if (!ends(at.nodes) && isShownBeside(verdict, value, fields)) shown = this.value(value, at);
      else if (verdict !== 'plain') shown = this.member(key, verdict, value, at);
      else if (known.dependsOnNeighbours && !ends(at.nodes))
        shown = this.#besideOthers(key, value, at, fields, beside, className);
      else if (known.ownership !== undefined && within === 'nothing' && !ends(at.nodes))
        shown = this.value(value, { ...at, within: known.ownership });
      else shown = this.member(key, verdict, value, at);
      if (changed === undefined && (shown !== value || shownKey !== key)) {
        changed = [];
        for (const before of Object.keys(fields).slice(0, count)) {
          const same = fields[before];
          if (same !== undefined) changed.push([before, same]);
        }
      }
      changed?.push([shownKey, shown]);
      count++;
      if (shown !== value && typeof value === 'string' && isAwsKeyId(value)) hasKeyId = true;
    }
    if (hasKeyId && changed !== undefined)
      for (const member of changed) member[1] = this.#hideAwsSecret(member[1]);
    const shown = changed === undefined ? fields : buildObject(changed);
    return tells === 0 ? shown : this.#siblings.besideTelling(shown, fields, tells);
  }

  #hideAwsSecret(value: CapturedValue): CapturedValue {
    return typeof value === 'string' && mayBeAwsSecret(value) ? this.hide(value) : value;
  }

  /** Redacts a member whose own name implies nothing, on the basis of its siblings. */
  #besideOthers(
    key: string,
    value: CapturedValue,
    at: Place,
    fields: Fields,
    beside: Fields,
    className: string | undefined,
  ): CapturedValue {
    if (isPrivatePart(key, fields)) return this.hide(value);
    const role = CHANGED.has(key) ? 'content' : findValueRole(key);
    if (role !== undefined) {
      const shown = this.#siblings.named(key, role, value, beside, (verdict) =>
        this.member(key, verdict, value, at),
      );
      // In a list, only the strings are hidden. Other items of the list can contain secrets of their own.
      if (shown !== undefined) return Array.isArray(shown) ? this.member(key, 'plain', shown, at) : shown;
    }
    if (key === 'keys' && typeof value === 'object' && isSigningKeys(fields, className))
      return this.hide(value);
    if (isRawHeaders(key) && isList(value)) return this.#inTurn(value, at);
    return this.member(key, 'plain', value, at);
  }

  #list(list: readonly CapturedValue[], place: Place): readonly CapturedValue[] {
    const { nodes, depth, within } = place;
    const below: Place = { nodes: undefined, depth: depth + 1, within };
    const pairs = isPair(list[0] ?? null) && isListOfPairs(list);
    const withinOfKeys = this.#siblings.withinOfKeys(list, within);
    let changed: CapturedValue[] | undefined;
    let hasKeyId = false;
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      if (item === undefined) continue;
      const at = nodes === undefined ? below : { ...below, nodes: advance(nodes, `${index}`) };
      const shown =
        pairs && isPair(item) && this.#siblings.isNamedPair(item) && !ends(at.nodes)
          ? this.#pair(item, at, withinOfKeys)
          : this.#item(list, index, item, at);
      if (shown === item) continue;
      changed ??= [...list];
      changed[index] = shown;
      if (typeof item === 'string' && isAwsKeyId(item)) hasKeyId = true;
    }
    const shown =
      hasKeyId && changed !== undefined ? changed.map((item) => this.#hideAwsSecret(item)) : changed;
    return list.length > 1 ? this.#siblings.besideItems(shown ?? list, list) : (shown ?? list);
  }

  /** Redacts a list item, which can be the value of a name in the item before it. */
  #item(list: readonly CapturedValue[], index: number, item: CapturedValue, at: Place): CapturedValue {
    if (ends(at.nodes)) return this.hide(item);
    if (isPasswordOfUser(list, item)) return this.hide(item);
    const before = index === 0 ? undefined : list[indexOfName(list, index)];
    if (typeof before === 'string' && this.#siblings.namesNext(before)) {
      const isFlag = before.startsWith('-');
      const isValue =
        isStored(list, index) ||
        isValueInList(item) ||
        (typeof item === 'string' && holdsSecret(item, this.#rules));
      if (isFlag ? !startsWithDash(item) : isValue) return this.hide(item);
    }
    const first = list[0];
    if (
      typeof item === 'string' &&
      typeof first === 'string' &&
      (startsWithDash(item) || startsWithDash(before ?? null))
    ) {
      const shown = hideArgument(list, index, (line) => this.#rules.text(line, false));
      if (shown !== undefined) return this.#writeShown(item, shown, at.within);
    }
    return this.value(item, at);
  }

  /** Redacts a name and its value in a list of pairs, or in a Map. */
  #pair(pair: Pair, place: Place, withinOfKey: Within): readonly CapturedValue[] {
    const [key, value] = pair;
    const name = typeof key === 'string' ? key : '';
    const shownKey = this.value(key, { ...place, nodes: undefined, within: withinOfKey });
    const { verdict } = this.#rules.known(name);
    // A second redaction does not see a name that was hidden, so the value is judged without this name here, too.
    const shownName = verdict === 'plain' && isRedacted(shownKey) ? '' : name;
    const shown = this.member(shownName, verdict, value, place);
    return shownKey === key && shown === value ? pair : [shownKey, shown];
  }

  /** Redacts a list that alternates names and values, such as Node's `rawHeaders`. */
  #inTurn(list: readonly CapturedValue[], place: Place): readonly CapturedValue[] {
    const at: Place = { ...place, nodes: undefined };
    const isHidden = (name: string) => hidesHeaderName(name, place.within);
    return hideEach(list, (item, index) => {
      // A header's name is redacted without regard to the surroundings, so that a second redaction finds the same name.
      if (index % 2 === 0 && typeof item === 'string')
        return isHidden(item) ? this.hide(item) : this.value(item, { ...at, within: 'nothing' });
      const name = index % 2 === 1 ? list[index - 1] : undefined;
      if (typeof name !== 'string') return this.value(item, at);
      const { verdict } = this.#rules.known(name);
      return this.member('', verdict !== 'plain' && isHidden(name) ? 'own' : verdict, item, at);
    });
  }

  /** Redacts each member of a tagged form, even if the sender built the form incorrectly. */
  #tagged(tagged: TaggedValue, place: Place): CapturedValue {
    if (tagged.$type === 'Buffer') return this.#rules.holdsSecret(tagged.base64) ? this.hide(tagged) : tagged;
    if (place.within === 'credentials' && !isLookedInto(tagged) && tagged.$type !== 'Date')
      return this.hide(tagged);
    const form: Fields = tagged;
    let changed: { [key: string]: CapturedValue } | undefined;
    for (const key of Object.keys(form)) {
      const part = form[key];
      if (part === undefined || NOT_CAPTURED.has(key)) continue;
      const shown = this.#part(tagged, key, part, place);
      if (shown === part) continue;
      if (shown === REDACTED_TEXT && key === 'value') return this.hide(tagged);
      changed ??= { ...form };
      changed[key] = shown;
    }
    return changed ?? tagged;
  }

  #part(tagged: TaggedValue, key: string, part: CapturedValue, place: Place): CapturedValue {
    const { nodes } = place;
    const below: Place = { ...place, depth: place.depth + 1, nodes: nodes && advance(nodes, key) };
    // An error's cause can be any value, so it is redacted like a value. Other members of tagged forms are objects, strings, or numbers
    // such as sizes.
    if (key === 'cause') return ends(below.nodes) ? this.hide(part) : this.value(part, below);
    if (typeof part === 'string') return this.#rules.text(part, tagged.$type === 'string' && key === 'value');
    if (typeof part !== 'object' || part === null) return part;
    if (key === 'entries' && isList(part)) return this.#entries(part, place);
    if (key === 'path' && isList(part)) return this.#path(part);
    // The items of a list can relate to each other; the members of a Set cannot.
    if (isList(part)) return tagged.$type === 'Set' ? this.#members(part, place) : this.#list(part, place);
    if (key !== 'properties') return ends(below.nodes) ? this.hide(part) : this.value(part, below);
    const className = 'class' in tagged && typeof tagged.class === 'string' ? tagged.class : undefined;
    return this.fields(part, { ...place, depth: place.depth + 1 }, className);
  }

  #members(members: readonly CapturedValue[], place: Place): readonly CapturedValue[] {
    const { nodes, depth, within } = place;
    return hideEach(members, (member, index) => {
      const at = { nodes: nodes && advance(nodes, `${index}`), depth: depth + 1, within };
      return ends(at.nodes) ? this.hide(member) : this.value(member, at);
    });
  }

  /** Redacts the names in a reference's path in the same way as the same names in the referenced values. */
  #path(path: readonly CapturedValue[]): readonly CapturedValue[] {
    return hideEach(path, (name) => (typeof name === 'string' ? this.#rules.known(name).shown : name));
  }

  /** Redacts a Map's entries. Keys that are strings are treated as names. */
  #entries(entries: readonly CapturedValue[], place: Place): readonly CapturedValue[] {
    const { nodes, depth, within } = place;
    return hideEach(entries, (entry, index) => {
      const below: Place = { nodes: undefined, depth: depth + 1, within };
      if (!isList(entry) || entry.length !== 2) return this.value(entry, below);
      const [key = null, value = null] = entry;
      const name = typeof key === 'string' ? key : `${index}`;
      const at: Place = { ...below, nodes: nodes && advance(nodes, name) };
      const shownPair = this.#pair([key, value], at, 'nothing');
      return shownPair[0] === key && shownPair[1] === value ? entry : shownPair;
    });
  }
}
