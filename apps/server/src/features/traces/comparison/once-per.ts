/** Makes a function compute its result once per object that it receives, since many calls are compared with the same other calls. */
export function oncePer<Key extends object, Result>(read: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const known = results.get(key) ?? { result: read(key) };
    results.set(key, known);
    return known.result;
  };
}
