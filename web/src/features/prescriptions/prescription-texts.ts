import type { CodeKind, Doubt, FoundCode, Patient } from '@bancone/contract/prescription-codes'
import { lengthText } from '../../lib/prescription-doubts.ts'

export const codeNames: Record<CodeKind, string> = {
  tax_code: 'Codice fiscale',
  temporary_tax_code: 'Codice fiscale provvisorio',
  stp: 'Codice STP',
  eni: 'Codice ENI',
  nre: 'NRE',
  nrbe: 'NRBE',
}

/** How the code is called in a sentence. */
const subjects: Partial<Record<CodeKind, string>> = {
  tax_code: 'Il codice fiscale',
  nre: 'Il numero della ricetta',
}

const typingErrors: ReadonlySet<Doubt> = new Set(['lookalike', 'form', 'check', 'birth_date'])
/** Then it may be no code of a patient, and nothing is missing to it. */
const others: ReadonlySet<Doubt> = new Set(['digits_only', 'phone', 'ean', 'doctor'])

const isOther = ({ doubts }: FoundCode) => doubts.some((doubt) => others.has(doubt))

/**
 * What is missing or wrong in the codes of a text, as sentences for the customer without their full stop. None names a
 * medicine or repeats a code.
 */
export function missingTexts(patients: readonly Patient[]): string[] {
  const texts = patients.flatMap(({ identity, prescriptions }) => [
    ...(identity || prescriptions.every(isOther) ? [] : ['Manca il codice fiscale']),
    ...[...(identity ? [identity] : []), ...prescriptions].flatMap((code) => {
      if (isOther(code)) return []
      const subject = subjects[code.kind] ?? 'Il codice'
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
