/** Decodes base64 in chunks of any length. The data ends with padding, with white space or with the last chunk. */
export class Base64Decoder {
  /** Characters that are not decoded yet, at most three. Empty once the data has ended. */
  #rest = '';
  #isOver = false;

  /** @throws SyntaxError if the data is damaged */
  add(bytes: Buffer): Buffer {
    const text = this.#rest + bytes.toString('latin1');
    const whole = this.#isOver ? 0 : text.length - (text.length % 4);
    const decoded = Buffer.from(text.slice(0, whole), 'base64');
    // Node skips characters that are not base64 digits. So if the text contains one, fewer bytes are decoded.
    if (!this.#isOver && decoded.length === (whole / 4) * 3) {
      this.#rest = text.slice(whole);
      return decoded;
    }
    return this.#finish(text);
  }

  /** Returns the bytes of the last digits if they are no full group. @throws SyntaxError */
  end(): Buffer {
    return this.#finish(this.#rest);
  }

  #finish(text: string): Buffer {
    const [, digits, padding] = /^([\w+/-]*)([\s\S]*)$/.exec(text) ?? [];
    if (digits === undefined || padding === undefined || !/^=*\s*$/.test(padding) || (this.#isOver && digits))
      throw new SyntaxError('the base64 is damaged');
    this.#isOver = true;
    this.#rest = '';
    return Buffer.from(digits, 'base64');
  }
}
