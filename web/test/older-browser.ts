// Removes features that the oldest supported browsers do not have: Safari 16.4 and Chrome 111 of spring 2023, which
// the style sheets require too. Old phones and computers get no newer browser. Add a newer feature here when it might
// be used by mistake.

/** Features added since then. */
const newer: [of: object | null, names: string[]][] = [
  [URL, ['canParse', 'parse']],
  [URLSearchParams.prototype, ['size']],
  [AbortSignal, ['any']],
  [Promise, ['withResolvers', 'try']],
  [Object, ['groupBy']],
  [Map, ['groupBy']],
  [Array, ['fromAsync']],
  [Set.prototype, ['union', 'intersection', 'difference', 'symmetricDifference']],
  [Set.prototype, ['isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
  // Iterator helpers, which have the names of array methods.
  [
    Reflect.getPrototypeOf([].values()),
    ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'some', 'every', 'find'],
  ],
]

for (const [of, names] of newer) {
  for (const name of names) {
    takeAway(of, name)
    if (of && name in of) throw new Error(`${name} is there still`)
  }
}

/** Also from the prototype chain: the tests' `URL` inherits from another one. */
function takeAway(of: object | null, name: string): void {
  if (!of) return
  Reflect.deleteProperty(of, name)
  takeAway(Reflect.getPrototypeOf(of), name)
}
