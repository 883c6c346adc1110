import { trend } from '@bancone/contract/analytics-figures'

const number = new Intl.NumberFormat('it-IT', { useGrouping: 'always', maximumFractionDigits: 2 })

/** '2,35%'. */
export function percentText(percent: number): string {
  return `${number.format(percent)}%`
}

/** '34,5'. */
export function decimalText(value: number): string {
  return number.format(value)
}

/** Whether an Italian number begins with a vowel: 1, 8, 11, 80–89, 800–899, 8.000–8.999, 11.000–11.999. */
function beginsWithVowel(value: number): boolean {
  return value === 1 || /^(8|11$|11\.)/.test(number.format(value))
}

/** 'il 12%', "l'8%", 'lo 0%'. */
export function percentWithArticle(percent: number): string {
  const text = percentText(percent)
  if (percent === 0) return `lo ${text}`
  return beginsWithVowel(percent) ? `l'${text}` : `il ${text}`
}

/** What a period is compared with, in words. */
export const comparisons = {
  precedente: {
    option: 'Periodo precedente',
    than: 'del periodo precedente',
    same: 'come nel periodo precedente',
    when: 'nel periodo precedente',
  },
  anno: {
    option: 'Un anno prima, stessi giorni',
    than: 'di un anno prima',
    same: 'come un anno prima',
    when: 'un anno prima',
  },
} as const
export type ComparisonTexts = (typeof comparisons)[keyof typeof comparisons]

/**
 * 'il 12% in più del periodo precedente'; null where there is nothing to compare with.
 *
 * @param none the word for no items, in their gender
 */
export function changeText(
  now: number,
  before: number | null | undefined,
  { than, same, when }: ComparisonTexts,
  none: 'nessuno' | 'nessuna',
): string | null {
  if (before === null || before === undefined) return null
  if (before === 0 && now > 0) return `${when} ${none}`
  const percent = trend(now, before)
  if (percent === 0) return same
  return `${percentWithArticle(Math.abs(percent))} in ${percent > 0 ? 'più' : 'meno'} ${than}`
}
