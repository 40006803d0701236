/** Puts the private fields of a class that extends it on an object that is there already. No code of the host's can see them. */
export class Mark {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the fields then go on this object
    return object;
  }
}
