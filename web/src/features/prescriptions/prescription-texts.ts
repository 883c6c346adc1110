import type { CodeKind, Doubt, FoundCode, Patient } from '@bancone/contract/prescription-codes'

export const codeNames: Record<CodeKind, string> = {
  tax_code: 'Codice fiscale',
  temporary_tax_code: 'Codice fiscale provvisorio',
  stp: 'Codice STP',
  eni: 'Codice ENI',
  nre: 'NRE',
  nrbe: 'NRBE',
}

/** How the code is called in a sentence, and how many characters it has. */
const sentences: Partial<Record<CodeKind, { subject: string; length: number }>> = {
  tax_code: { subject: 'Il codice fiscale', length: 16 },
  nre: { subject: 'Il numero della ricetta', length: 15 },
}

const doubtTexts: Record<Exclude<Doubt, 'length'>, string> = {
  letter_o: 'Una lettera O e uno zero sono stati scambiati: controlla.',
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

const lengthText = ({ kind, value }: FoundCode) =>
  `ha ${value.length} caratteri: ne servono ${sentences[kind]?.length ?? 15}`

/** Why a code is not certain, a sentence for each reason. */
export function doubtSentences(code: FoundCode): string[] {
  return code.doubts.map((doubt) =>
    doubt === 'length' ? `Questo codice ${lengthText(code)}.` : doubtTexts[doubt],
  )
}

const typingErrors: ReadonlySet<Doubt> = new Set(['letter_o', 'form', 'check', 'birth_date'])

/**
 * What is missing or wrong in the codes of a text, as sentences for the customer without their full stop. None names a
 * medicine or repeats a code.
 */
export function missingTexts(patients: readonly Patient[]): string[] {
  const texts = patients.flatMap(({ identity, prescriptions }) => [
    ...(identity ? [] : ['Manca il codice fiscale']),
    ...[...(identity ? [identity] : []), ...prescriptions].flatMap((code) => {
      const { subject = 'Il codice' } = sentences[code.kind] ?? {}
      if (code.doubts.includes('length')) return [`${subject} ${lengthText(code)}`]
      if (code.doubts.includes('no_pin')) return ['Manca il PIN della ricetta bianca']
      return code.doubts.some((doubt) => typingErrors.has(doubt)) ? [`${subject} ha un errore`] : []
    }),
  ])
  return [...new Set(texts)]
}

/** A message to the customer that asks for what is missing, with the placeholders of reply texts. */
export function askingReply(missing: readonly string[]) {
  return {
    title: 'Chiedi i codici della ricetta',
    text: `Gentile {nome}, per la Sua ricetta ci serve ancora qualcosa. ${missing.join('. ')}. Può scriverlo qui? Non mandi foto, per la Sua riservatezza. Grazie!`,
  }
}
