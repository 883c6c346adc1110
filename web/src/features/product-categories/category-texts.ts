import type { CategoryFields, RegulatoryClass } from '@bancone/contract/product-categories'
import type { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'

/** Names of the regulatory classes, and what a class means for the offers. */
export const classTexts: Readonly<Record<RegulatoryClass, { name: string; means: string }>> = {
  libero: {
    name: 'Libera vendita',
    means: 'Integratori, cosmetici e altri prodotti senza limiti di pubblicità: si vede tutto.',
  },
  medicinale_otc_sop: {
    name: 'Medicinale OTC o SOP',
    means:
      'Medicinali senza ricetta: per legge il pubblico vede solo nome, confezione e prezzo, e i clienti prenotano invece di ordinare.',
  },
  omeopatico: {
    name: 'Omeopatico',
    means: 'Come i medicinali: il pubblico vede solo nome, confezione e prezzo.',
  },
  dispositivo_medico: {
    name: 'Dispositivo medico',
    means: 'Prodotti con marchio CE per uso medico, come cerotti e termometri.',
  },
  veterinario: {
    name: 'Veterinario',
    means: 'Prodotti e medicinali per animali.',
  },
}

export function offerCount(count: number): string {
  return count === 1 ? '1 offerta' : `${formatNumber(count)} offerte`
}

const messages: Record<keyof CategoryFields, { tooBig: string; other: string }> = {
  name: { tooBig: 'Al massimo 100 caratteri.', other: 'Il nome della categoria è obbligatorio' },
  description: {
    tooBig: 'La descrizione è troppo lunga.',
    other: 'La descrizione non è valida.',
  },
  regulatory_class: { tooBig: '', other: 'Scegli una classe.' },
}

/** The Italian error text of a field; the contract has none. */
export function fieldMessage({
  code,
  path,
}: Pick<z.core.$ZodRawIssue, 'code' | 'path'>): string | undefined {
  const texts = new Map(Object.entries(messages)).get(String(path?.[0]))
  return texts && (code === 'too_big' ? texts.tooBig : texts.other)
}

/** Why a category could not be deleted. */
export function removalFailure(error: unknown): string {
  const used = hasCode(error, 'categories.in_use') ? error.details : undefined
  const count = used?.['offers']
  if (typeof count === 'number')
    return `Impossibile eliminare la categoria: è utilizzata da ${offerCount(count)}`
  return `Errore durante l'eliminazione della categoria. ${errorMessage(error)}`
}
