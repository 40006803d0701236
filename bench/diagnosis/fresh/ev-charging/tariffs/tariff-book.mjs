import { TEXTS } from './texts.mjs';

function readNumber(name, text) {
  const value = Number(text);
  if (Number.isNaN(value)) throw new SyntaxError(`${name} is not a number: ${text}`);
  return value;
}

function parse(text) {
  const fields = Object.fromEntries(text.split('\n').map((line) => line.split('=')));
  return {
    currency: fields.currency,
    start: readNumber('start', fields.start),
    kwh: readNumber('kwh', fields.kwh),
    idle: readNumber('idle', fields.idle),
    idleAfter: readNumber('idle-after', fields['idle-after']),
  };
}

export class TariffBook {
  #parsed = new Map();
  log = [];

  async tariffOf(operator) {
    if (!this.#parsed.has(operator)) this.#parsed.set(operator, this.load(operator));
    return this.#parsed.get(operator);
  }

  load(operator) {
    try {
      return parse(TEXTS[operator]);
    } catch (error) {
      this.log.push({ at: Date.now(), operator, message: error.message });
    }
  }
}
