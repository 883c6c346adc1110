let printed: string[] = []

/** Keeps what the code prints, to be looked at when the test ends. */
export function recordPrinted(line: string) {
  printed.push(line)
}

/** For the few texts a library prints by design: takes the lines that match out of the record. */
export function allowPrinted(text: RegExp) {
  printed = printed.filter((line) => !text.test(line))
}

/** What was printed and not allowed; forgets it. */
export function takePrinted(): string[] {
  const lines = printed
  printed = []
  return lines
}
