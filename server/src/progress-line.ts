const EVERY_MS = 500

/** A line of the terminal that shows how far a command is. Without a terminal it shows nothing. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr) {
  let shownAt = 0
  return {
    show(text: string) {
      if (!stream.isTTY || Date.now() - shownAt < EVERY_MS) return
      shownAt = Date.now()
      stream.write(`\r\u001b[K${text}`)
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
