import type { CodeKind, Doubt, FoundCode } from '@bancone/contract/prescription-codes'

const lengths: Partial<Record<CodeKind, number>> = { tax_code: 16, nre: 15, stp: 16, eni: 16 }

// For the staff and for customers: without a form of address.
const doubtTexts: Record<Exclude<Doubt, 'length'>, string> = {
  lookalike: 'Una lettera e una cifra simili sono state scambiate, come O e 0.',
  form: 'Una lettera o una cifra è al posto sbagliato.',
  check: 'Il carattere di controllo non torna: forse c’è un errore.',
  birth_date: 'Il giorno o il mese di nascita non esiste.',
  region: 'Le prime cifre non sono di una regione.',
  digits_only: 'Sono solo cifre: forse non è una ricetta.',
  phone: 'Può essere un numero di telefono.',
  ean: 'Può essere il codice a barre di un prodotto.',
  doctor: 'Sembra il codice fiscale del medico.',
  no_pin: 'Manca il PIN.',
}

/** How long a code is and has to be, as the end of a sentence. One that is so long is wrong otherwise. */
export function lengthText({ kind, value }: Pick<FoundCode, 'kind' | 'value'>): string {
  const length = lengths[kind] ?? 15
  return value.length === length
    ? 'ha una lettera o una cifra al posto sbagliato'
    : `ha ${value.length} caratteri: ne servono ${length}`
}

/** Why a code is not certain, a sentence for each reason. */
export function doubtSentences(code: Pick<FoundCode, 'kind' | 'value' | 'doubts'>): string[] {
  return code.doubts.map((doubt) =>
    doubt === 'length' ? `Questo codice ${lengthText(code)}.` : doubtTexts[doubt],
  )
}
