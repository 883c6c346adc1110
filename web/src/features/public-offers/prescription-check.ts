import {
  type CodeKind,
  type FoundCode,
  findPrescriptionCodes,
} from '@bancone/contract/prescription-codes'
import { prescriptionLines, type TypedPrescription } from '@bancone/contract/whatsapp-order'
import { doubtSentences } from '../../lib/prescription-doubts.ts'

export type PrescriptionField = keyof TypedPrescription

const kinds: Record<PrescriptionField, readonly CodeKind[]> = {
  nre: ['nre', 'nrbe'],
  taxCode: ['tax_code', 'temporary_tax_code', 'stp', 'eni'],
}

/** The characters of a white prescription, which has a PIN besides. */
const WHITE_LENGTH = 12

/** What stands beside the codes and their PIN and could be one: words with a digit. */
function wordsBeside(codes: readonly FoundCode[], line: string): string[] {
  const rest = codes.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`,
    line,
  )
  const isPin = (digits: string) => codes.some(({ pin }) => pin === digits)
  return rest.split(/[\s,;]+/).filter((word) => {
    const digits = word.replaceAll(/\D/g, '')
    return digits !== '' && !isPin(digits)
  })
}

/** @returns what is doubtful about the text of a field, a sentence for each reason; none where it is well formed */
export function doubtsOf(field: PrescriptionField, typed: string): string[] {
  const [line = ''] = prescriptionLines({ nre: '', taxCode: '', [field]: typed })
  const { codes } = findPrescriptionCodes(line)
  const expected = codes.filter(({ kind }) => kinds[field].includes(kind))
  if (expected.length === 0) {
    if (codes.length > 0) return ['Sembra il codice dell’altro campo.']
    const value = typed.replaceAll(/[^0-9a-z]/gi, '')
    return doubtSentences({ kind: field === 'nre' ? 'nre' : 'tax_code', value, doubts: ['length'] })
  }
  const isWhite = expected.some(
    ({ value, doubts }) => doubts.includes('length') && value.length === WHITE_LENGTH,
  )
  if (field === 'nre' && isWhite)
    return ['Se è una ricetta bianca, serve anche «PIN» con il suo numero.']
  const incomplete = wordsBeside(codes, line).map((word) => `«${word}» non è un codice completo.`)
  return [...new Set([...codes.flatMap(doubtSentences), ...incomplete])]
}
