import { formatNumber } from './format.ts'

export const retentionIntro =
  'Ogni notte, dagli ordini non modificati da più tempo si eliminano nome, telefono, indirizzo, testo, immagine, note e messaggi. Restano numero, date e stato, e i conteggi non cambiano.'

export const retentionExceptions =
  "Un ordine ancora in attesa scade 180 giorni più tardi e diventa «Annullato». Se c'è una nota più recente, o il cliente ha scritto o è passato da poco, si aspetta."

/** What a time does in the next night. @param orders null: too many to be counted */
export function retentionLoss(orders: number | null): string {
  const which =
    orders === null
      ? 'da un gran numero di ordini'
      : orders === 1
        ? 'da un ordine'
        : `da ${formatNumber(orders)} ordini al massimo`
  return `Dalla prossima notte si eliminano i dati del cliente ${which}, e da ogni ordine che diventa così vecchio. Quelli in attesa diventano «Annullato». Non si può annullare.`
}
