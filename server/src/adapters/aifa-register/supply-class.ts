import type { SupplyClass } from '@bancone/contract/medicines'

/** The words of the register, the most special first: each text contains the words of a more general one. */
const words: readonly [RegExp, SupplyClass | null][] = [
  [/non soggett\w+ a prescrizione.*non da banco/, 'SOP'],
  [/non soggett\w+ a prescrizione.*da banco/, 'OTC'],
  [/non soggett/, null],
  [/ricetta ministeriale|prescrizione medica speciale/, 'RMR'],
  [/esclusivamente in ambiente ospedaliero/, 'OSP'],
  [/esclusivamente da\w* specialist/, 'USPL'],
  [/limitativa.*da rinnovare|da rinnovare.*limitativa/, 'RNRL'],
  [/limitativa/, 'RRL'],
  [/da rinnovare/, 'RNR'],
  [/soggett\w+ a prescrizione/, 'RR'],
]

/** The class of the column FORNITURA; null for any other text. */
export function supplyClassOf(text: string): SupplyClass | null {
  const plain = text.toLowerCase()
  return words.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}
