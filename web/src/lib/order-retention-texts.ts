import { formatNumber } from './format.ts'

export const retentionIntro =
  "Quando dall'ultima modifica di un ordine è passato il tempo scelto, di notte si eliminano nome, telefono, indirizzo, testo, immagine, note e messaggi. Restano numero, date e stato, e i conteggi non cambiano."

export const retentionExceptions =
  "Un ordine ancora in attesa li tiene altri 180 giorni, e poi diventa «Annullato». Se c'è una nota più recente, o il cliente ha scritto o è passato da poco, si aspetta."

/** 'dopo 90 giorni'; null: never. */
export function retentionPeriod(days: number | null): string {
  if (days === null) return 'mai'
  if (days === 365) return 'dopo 1 anno'
  return days === 730 ? 'dopo 2 anni' : `dopo ${days} giorni`
}

/** What a period does in the next night. @param orders null: too many to be counted */
export function retentionLoss(days: number, orders: number | null): string {
  const which =
    orders === null
      ? 'da un gran numero di ordini'
      : orders === 1
        ? 'da un ordine'
        : `da ${formatNumber(orders)} ordini al massimo`
  return `Se si eliminano ${retentionPeriod(days)}, dalla prossima notte i dati del cliente spariscono ${which}, e da ogni ordine che diventa così vecchio. Quelli in attesa diventano «Annullato». È definitivo.`
}
