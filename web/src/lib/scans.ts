const listeners = new Set<(code: string) => void>()

/** Passes on a code that a scanner has typed. @returns whether anything listens */
export function announceScan(code: string): boolean {
  for (const listener of listeners) listener(code)
  return listeners.size > 0
}

/** @returns ends the subscription */
export function onScan(listener: (code: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
