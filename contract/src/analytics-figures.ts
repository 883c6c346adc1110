/** The change from one figure to another in percent, rounded; 100 where there was nothing before. */
export function trend(now: number, before: number): number {
  if (before === 0) return now > 0 ? 100 : 0
  return Math.round(((now - before) / before) * 100)
}

/** `part` for each hundred of `whole`, with two decimals; 0 of nothing. */
export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100
}
