import type { CategoryFields, RegulatoryClass } from '@bancone/contract/product-categories'
import { fieldTexts } from '../../lib/field-texts.ts'
import { formatNumber } from '../../lib/format.ts'

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

export const fieldMessage = fieldTexts<keyof CategoryFields>({
  name: { too_big: 'Al massimo 100 caratteri.', other: 'Il nome della categoria è obbligatorio' },
  description: { too_big: 'La descrizione è troppo lunga.', other: 'La descrizione non è valida.' },
  regulatory_class: { other: 'Scegli una classe.' },
})
