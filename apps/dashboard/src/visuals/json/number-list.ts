/** A list of integers whose capacity doubles when it is full. */
export class NumberList {
  length = 0;
  #numbers = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#numbers[index] = value;
  }

  values(): Uint32Array<ArrayBuffer> {
    return this.#numbers.slice(0, this.length);
  }
}
