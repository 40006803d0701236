/** Adds the private fields of a subclass to an existing object. Host code cannot see the fields. */
export class Mark {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the private fields are then added to the given object
    return object;
  }
}
