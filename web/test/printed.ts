let printed: string[] = []

/** Records console output for the check at the end of the test. */
export function recordPrinted(line: string) {
  printed.push(line)
}

/** Removes expected output of a library from the record. */
export function allowPrinted(text: RegExp) {
  printed = printed.filter((line) => !text.test(line))
}

/** Returns the recorded output and clears the record. */
export function takePrinted(): string[] {
  const lines = printed
  printed = []
  return lines
}
