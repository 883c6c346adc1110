import { formatPrice } from '@bancone/contract/money'
import type { PlanFields } from '@bancone/contract/subscription-plans'
import type { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'

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

const messages: Record<keyof PlanFields, Partial<Record<string, string>> & { other: string }> = {
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
}

/** The Italian error text of a field; the contract has none. */
export function fieldMessage({
  code,
  path,
}: Pick<z.core.$ZodRawIssue, 'code' | 'path'>): string | undefined {
  const texts = new Map(Object.entries(messages)).get(String(path?.[0]))
  return texts && (texts[code ?? ''] ?? texts.other)
}

/** Why a plan could not be deleted. */
export function removalFailure(error: unknown): string {
  const used = hasCode(error, 'plans.in_use') ? error.details : undefined
  const count = used?.['pharmacies']
  if (typeof count === 'number')
    return `Impossibile eliminare il piano: è utilizzato da ${pharmacyCount(count)}`
  return `Errore durante l'eliminazione del piano. ${errorMessage(error)}`
}
