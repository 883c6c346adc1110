import { formatPrice } from '@bancone/contract/money'
import type { PlanFields } from '@bancone/contract/subscription-plans'
import { fieldTexts } from '../../lib/field-texts.ts'
import { formatNumber } from '../../lib/format.ts'

export function limitText(max: PlanFields['max_offers']): string {
  return max === null ? 'Illimitate' : formatNumber(max)
}

/** @param euros the price of a plan */
export function priceText(euros: number): string {
  return formatPrice(Math.round(euros * 100))
}

export function pharmacyCount(count: number): string {
  return count === 1 ? '1 farmacia' : `${formatNumber(count)} farmacie`
}

export const fieldMessage = fieldTexts<keyof PlanFields>({
  name: { too_big: 'Al massimo 100 caratteri.', other: 'Il nome del piano è obbligatorio' },
  description: { other: 'La descrizione è troppo lunga.' },
  max_offers: {
    too_small: 'Il numero massimo di offerte non può essere negativo',
    too_big: 'Al massimo 100.000 offerte.',
    other: 'Scrivi un numero intero.',
  },
  price: {
    too_small: 'Il prezzo non può essere negativo',
    too_big: 'Il prezzo non può superare 99.999,99 €',
    other: 'Al massimo due decimali.',
  },
  features: { other: 'Scegli le funzionalità tra quelle elencate.' },
})
