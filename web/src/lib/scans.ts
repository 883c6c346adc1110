const listeners = new Set<(code: string) => void>()

/** Passes on a code that a scanner has typed. @returns whether anything listens */
export function announceScan(code: string): boolean {
  for (const listener of listeners) listener(code)
  return listeners.size > 0
}

/** The code that looks for scans is loaded after the rows of a page. A scan that came before is kept for it this long. */
const KEPT_MS = 3_000
let kept: { code: string; until: number } | null = null

/** Announces a scan, or keeps it for the listener that comes next. */
export function announceOrKeepScan(code: string) {
  if (!announceScan(code)) kept = { code, until: Date.now() + KEPT_MS }
}

/** @returns ends the subscription */
export function onScan(listener: (code: string) => void): () => void {
  listeners.add(listener)
  const missed = kept
  kept = null
  if (missed && Date.now() < missed.until) listener(missed.code)
  return () => void listeners.delete(listener)
}
