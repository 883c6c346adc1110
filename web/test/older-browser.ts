// The oldest browsers that the pages are made for: Safari 16.4 and Chrome 111, of spring 2023, which is also what their
// style sheets need. Phones and computers that get no newer system any more have one of them. The browser of the tests
// must not know more. What is newer belongs here as soon as somebody could reach for it.

/** What each of them has been given since. */
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
  // What is gone through: the names that arrays have, too.
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

/** Also where it is inherited: the `URL` of the tests is made of another. */
function takeAway(of: object | null, name: string): void {
  if (!of) return
  Reflect.deleteProperty(of, name)
  takeAway(Reflect.getPrototypeOf(of), name)
}
